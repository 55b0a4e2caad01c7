import { AwayBanner } from '../parts/away-banner.js';
import { PageHeader } from '../parts/page-header.js';
import { usePolled } from '../parts/use-polled.js';
import { useServiceView, useStatus, useVerification } from '../parts/use-service.js';
import type { History } from '../operator-api.js';
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

/** The operator's page: whether the index can be trusted, what the crawl does, and what a person may have to do. */
export function App() {
  const service = useServiceView();
  const { value: status, fault, refresh } = useStatus();
  const verification = useVerification();
  const history = usePolled<History>('_crawler/history', () => HISTORY_MS);
  const job = service?.settings.name;
  const changed = (): void => {
    refresh();
    verification.refresh();
  };
  // A job without a root has no tree that could be inspected.
  const hasTree = verification.fault?.status !== 404;
  return (
    <div class="operator">
      <PageHeader page="operator" job={job} status={status} truth={verification.value?.truth} />
      {fault !== undefined && <AwayBanner fault={fault} onRetry={changed} />}
      <main>
        {/* A service that is away cannot be told anything. */}
        <fieldset class="cards" disabled={fault !== undefined}>
          <TruthCard verification={verification} />
          {status !== undefined && status.held_deletions !== null && (
            <HeldCard held={status.held_deletions} onChange={changed} />
          )}
          <div class="column">
            {status !== undefined && <CrawlCard status={status} history={history.value} onChange={changed} />}
            {status !== undefined && crawls(status) && <DocumentsCard activity={status.activity} />}
            {hasTree && status !== undefined && (
              <FailuresCard moment={momentOf(status.state, status.activity.totals)} onRetry={changed} />
            )}
          </div>
          <div class="column">
            {hasTree && <PlanCard />}
            <UploadCard />
            {hasTree && <WhyCard />}
            <EngineCard service={service} />
          </div>
        </fieldset>
      </main>
    </div>
  );
}

/** Other failures than before are possible. */
function momentOf(state: string, totals: unknown): string {
  return JSON.stringify([state, totals]);
}
