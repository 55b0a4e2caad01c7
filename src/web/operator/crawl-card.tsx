import { send, type DocumentTime, type Status } from '../api.js';
import { formatTime } from '../format.js';
import type { History } from '../operator-api.js';
import { ForeignText } from '../parts/foreign-text.js';
import { stateOf } from '../parts/page-header.js';
import { ForEditors } from '../parts/rights.js';
import { words } from '../text/operator.js';
import { Card, Said } from './card.js';
import { RateChart } from './rate-chart.js';
import { useAction } from './use-action.js';

interface CrawlCardProps {
  readonly status: Status;
  readonly history: History | undefined;
  /** Nothing has moved for minutes. */
  readonly isStuck: boolean;
  readonly onChange: () => void;
}

/** What the crawl does at this moment, and its controls. */
export function CrawlCard({ status, history, isStuck, onChange }: CrawlCardProps) {
  const action = useAction();
  if (!crawls(status))
    return (
      <Card title={words.crawl}>
        <p>{words.noCrawl}</p>
      </Card>
    );
  const isPaused = status.state === 'PAUSED' && status.paused_by === 'user';
  const control = (name: string): void => void action.run(() => send('POST', `_crawler/${name}`)).then(onChange);
  return (
    <Card
      title={words.crawl}
      aside={
        <ForEditors>
          <span class="row">
            {status.state !== 'RUNNING' && (
              <button type="button" disabled={action.isBusy} onClick={() => control('resume')}>
                {isPaused ? words.resume : words.scanNow}
              </button>
            )}
            {!isPaused && (
              <button type="button" disabled={action.isBusy} onClick={() => control('pause')}>
                {words.pause}
              </button>
            )}
          </span>
        </ForEditors>
      }
    >
      {isStuck && <p class="fault">{words.stuck}</p>}
      <Progress status={status} />
      <Said action={action} />
      <RateChart samples={history?.samples ?? []} />
    </Card>
  );
}

/** A service without a crawl has never scanned and never will. */
export function crawls({ state, scan_id: scan }: Status): boolean {
  return state !== 'STOPPED' || scan !== null;
}

function Progress({ status }: { readonly status: Status }) {
  const { activity, last_error: error } = status;
  return (
    <>
      <p>
        <strong>{[...stateFacts(status), ...runFacts(status)].join(' · ')}</strong>
      </p>
      {status.state === 'RUNNING' && <Running status={status} />}
      {error !== null && (
        <p class="fault">
          {words.lastError} <ForeignText text={error} />
        </p>
      )}
      {activity.current.length > 0 && (
        <>
          <h3>{words.inHand}</h3>
          <TimeList documents={activity.current} />
        </>
      )}
    </>
  );
}

function stateFacts(status: Status): readonly string[] {
  const { activity, paused_by: by, next_check: next } = status;
  const state = stateOf({ ...status, held_deletions: null, activity: { ...activity, run: null } });
  const isDue = status.state !== 'RUNNING' && by === 'schedule' && next !== null;
  return isDue ? [state, words.next(formatTime(next))] : [state];
}

function runFacts({ state, activity }: Status): readonly string[] {
  const { run, files_per_second: rate, remaining_time: left } = activity;
  if (state !== 'RUNNING') return [];
  const settled = run === null ? [] : [words.progress(run.settled, run.total, run.percent)];
  return [...settled, words.rate(rate), ...(left === null ? [] : [words.left(left)])];
}

function Running({ status: { activity, current_path: path } }: { readonly status: Status }) {
  const { run, queues } = activity;
  const percent = run?.percent ?? null;
  return (
    <>
      {percent !== null && <progress max={100} value={percent} aria-label={words.crawl} />}
      {path !== null && (
        <p class="soft">
          {words.at} <ForeignText text={path} />
        </p>
      )}
      <p>{words.queues(queues.folders, queues.extraction, queues.engine)}</p>
    </>
  );
}

export function TimeList({ documents }: { readonly documents: readonly DocumentTime[] }) {
  return (
    <ul class="paths times">
      {documents.map(({ document, elapsed_ms: ms, page, pages }, at) => (
        <li key={at}>
          <ForeignText text={document} />{' '}
          <span class="soft">
            {words.seconds(ms)}
            {page !== undefined && pages !== undefined && `, ${words.page(page, pages)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
