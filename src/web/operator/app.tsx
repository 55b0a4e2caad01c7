import { useMemo, useState } from 'preact/hooks';
import type { Status } from '../api.js';
import { AwayBanner } from '../parts/away-banner.js';
import { KeysDialog } from '../parts/keys-dialog.js';
import { addressOf, PageHeader } from '../parts/page-header.js';
import { usePolled } from '../parts/use-polled.js';
import { ForEditors, MayChange } from '../parts/rights.js';
import { SignIn } from '../parts/sign-in.js';
import { useSession, useStatus, useVerification } from '../parts/use-service.js';
import { goTo, useKeys, type Shortcuts } from '../parts/use-keys.js';
import { badge } from '../text/badge.js';
import { text } from '../text/en.js';
import { words } from '../text/operator.js';
import type { HealthView, History } from '../operator-api.js';
import { CrawlCard, crawls } from './crawl-card.js';
import { DocumentsCard } from './documents-card.js';
import { EngineCard } from './engine-card.js';
import { FailuresCard } from './failures-card.js';
import { HeldCard } from './held-card.js';
import { PlanCard } from './plan-card.js';
import { TruthCard } from './truth-card.js';
import { UploadCard } from './upload-card.js';
import { WhyCard } from './why-card.js';

const HISTORY_MS = 5000;
const HEALTH_MS = 10_000;

/** The operator's page: whether the index can be trusted, what the crawl does, and what a person may have to do. */
export function App() {
  const { session, refresh: refreshSession } = useSession();
  const { value: status, fault, refresh } = useStatus();
  const verification = useVerification();
  const health = usePolled<HealthView>('_health', () => HEALTH_MS);
  const isStuck = health.fault?.details['stuck'] === true;
  const changed = (): void => {
    refresh();
    verification.refresh();
  };
  // A job without a root has no tree that could be inspected.
  const hasTree = verification.fault?.status !== 404;
  return (
    <MayChange.Provider value={session === undefined || session.role === 'full'}>
      <div class="operator">
        <PageHeader
          page="operator"
          session={session}
          status={status}
          truth={verification.value?.truth}
          isStuck={isStuck}
        >
          <OperatorKeys />
        </PageHeader>
        <SignIn onDone={refreshSession} />
        {session?.role === 'read' && <p class="soft note">{badge.readsOnly}</p>}
        {fault !== undefined && <AwayBanner fault={fault} onRetry={changed} />}
        <main>
          {/* A service that is away cannot be told anything. */}
          <fieldset class="cards" disabled={fault !== undefined}>
            <TruthCard verification={verification} />
            {status !== undefined && <CrawlCards {...{ status, hasTree, isStuck }} onChange={changed} />}
            <div class="column">
              {hasTree && <PlanCard />}
              <ForEditors>
                <UploadCard />
              </ForEditors>
              {hasTree && <WhyCard />}
              <EngineCard version={session?.version} health={health} />
            </div>
          </fieldset>
        </main>
      </div>
    </MayChange.Provider>
  );
}

/** The keys of the page, and their list. */
function OperatorKeys() {
  const [isOpen, setIsOpen] = useState(false);
  const shortcuts = useMemo<Shortcuts>(
    () => ({
      g: () => goTo(addressOf('search')),
      w: () => document.querySelector<HTMLInputElement>('.why input')?.focus(),
      '?': () => setIsOpen(true),
      Escape: () => (document.activeElement as HTMLElement | null)?.blur(),
    }),
    [],
  );
  useKeys(shortcuts);
  return (
    <>
      <button type="button" class="plain" onClick={() => setIsOpen(true)}>
        {text.keys}
      </button>
      <KeysDialog table={words.keyTable} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}

interface CrawlCardsProps {
  readonly status: Status;
  readonly hasTree: boolean;
  readonly isStuck: boolean;
  readonly onChange: () => void;
}

/** What the status of the service tells. */
function CrawlCards({ status, hasTree, isStuck, onChange }: CrawlCardsProps) {
  const { state, activity, held_deletions: held } = status;
  const history = usePolled<History>('_crawler/history', () => HISTORY_MS);
  return (
    <>
      {held !== null && <HeldCard held={held} onChange={onChange} />}
      <div class="column">
        <CrawlCard status={status} history={history.value} isStuck={isStuck} onChange={onChange} />
        {crawls(status) && <DocumentsCard activity={activity} />}
        {hasTree && <FailuresCard moment={momentOf(state, activity.totals)} state={state} onRetry={onChange} />}
      </div>
    </>
  );
}

/** Other failures than before are possible. */
function momentOf(state: string, totals: unknown): string {
  return JSON.stringify([state, totals]);
}
