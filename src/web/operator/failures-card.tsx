import { useCallback, useEffect, useState } from 'preact/hooks';
import { ask, send } from '../api.js';
import { formatTime } from '../format.js';
import type { Failure, FailureList } from '../operator-api.js';
import { ForeignText } from '../parts/foreign-text.js';
import { ForEditors } from '../parts/rights.js';
import { words } from '../text/operator.js';
import { Card, Said } from './card.js';
import { useAction } from './use-action.js';

const SIZE = '20';

interface FailuresCardProps {
  /** Changes when there may be others. */
  readonly moment: string;
  /** Of the crawl: others may follow, or nobody knows. */
  readonly state: string;
  readonly onRetry: () => void;
}

/** Files that are not in the index, or there without their text, by reason; and another attempt for those of one reason. */
export function FailuresCard({ moment, state, onRetry }: FailuresCardProps) {
  const [reason, setReason] = useState<string>();
  const [list, setList] = useState<FailureList>();
  const listing = useAction();
  const retry = useAction();
  const { run } = listing;
  const load = useCallback(
    (after: string | null): void => {
      void run(async () => {
        const page = await ask<FailureList>('_crawler/failures', parametersOf(reason, after));
        setList((before) =>
          after === null || before === undefined ? page : { ...page, failures: [...before.failures, ...page.failures] },
        );
        return undefined;
      });
    },
    [reason, run],
  );
  useEffect(() => load(null), [load, moment]);
  const again = (wanted: string): void => {
    void retry
      .run(() => send('POST', '_crawler/failures/retry', { body: { reason: wanted } }))
      .then(() => {
        load(null);
        onRetry();
      });
  };
  return (
    <Card title={words.failures}>
      {listing.failed && <Said action={listing} />}
      {list !== undefined && <Reasons counts={list.counts} chosen={reason} onChoose={setReason} />}
      {list !== undefined && <Retry list={list} reason={reason} state={state} isBusy={retry.isBusy} onRetry={again} />}
      <Said action={retry} />
      <ul class="failures">
        {list?.failures.map((failure) => (
          <FailureItem key={failure.path} failure={failure} />
        ))}
      </ul>
      {typeof list?.next === 'string' && (
        <button type="button" disabled={listing.isBusy} onClick={() => load(list.next)}>
          {words.more}
        </button>
      )}
    </Card>
  );
}

interface RetryProps {
  readonly list: FailureList;
  readonly reason: string | undefined;
  readonly state: string;
  readonly isBusy: boolean;
  readonly onRetry: (reason: string) => void;
}

/** Those of one reason can be tried again; or there are none. */
function Retry({ list, reason, state, isBusy, onRetry }: RetryProps) {
  if (list.failures.length === 0) {
    return <p>{reason === undefined ? noFailures(state) : words.noFailuresHere}</p>;
  }
  if (reason === undefined) return null;
  return (
    <ForEditors>
      <button type="button" disabled={isBusy} onClick={() => onRetry(reason)}>
        {words.retry(list.counts[reason] ?? 0)}
      </button>
    </ForEditors>
  );
}

/** A scan that did not reach its end says nothing about the files that it has not seen. */
function noFailures(state: string): string {
  if (state === 'RUNNING') return words.noFailuresYet;
  return state === 'ERROR' ? words.noFailuresOfFiles : words.noFailures;
}

function parametersOf(reason: string | undefined, after: string | null): URLSearchParams {
  const parameters = new URLSearchParams({ size: SIZE });
  if (reason !== undefined) parameters.set('reason', reason);
  if (after !== null) parameters.set('after', after);
  return parameters;
}

interface ReasonsProps {
  readonly counts: FailureList['counts'];
  readonly chosen: string | undefined;
  readonly onChoose: (reason: string | undefined) => void;
}

function Reasons({ counts, chosen, onChoose }: ReasonsProps) {
  const sorted = Object.entries(counts).sort(([, left], [, right]) => right - left);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0 && chosen === undefined) return null;
  return (
    <div class="chips" role="group" aria-label={words.failures}>
      <Chip name={words.allReasons} count={total} isOn={chosen === undefined} onPress={() => onChoose(undefined)} />
      {sorted.map(([reason, count]) => (
        <Chip
          key={reason}
          name={words.reason(reason)}
          count={count}
          isOn={chosen === reason}
          onPress={() => onChoose(chosen === reason ? undefined : reason)}
        />
      ))}
    </div>
  );
}

interface ChipProps {
  readonly name: string;
  readonly count: number;
  readonly isOn: boolean;
  readonly onPress: () => void;
}

function Chip({ name, count, isOn, onPress }: ChipProps) {
  return (
    <button type="button" class="chip" aria-pressed={isOn} onClick={onPress}>
      {name} <span class="count">{words.number(count)}</span>
    </button>
  );
}

function FailureItem({ failure }: { readonly failure: Failure }) {
  const { path, reason, message, standing, tries, retryMs } = failure;
  const notes = [
    words.reason(reason),
    standing === 'partial' ? words.partial : '',
    words.tries(tries),
    standing === 'failed' ? nextTry(retryMs) : '',
  ].filter((note) => note !== '');
  return (
    <li>
      <p class="path">
        <ForeignText text={path} />
      </p>
      <p>
        <ForeignText text={message} />
      </p>
      <p class="soft">{notes.join(' · ')}</p>
    </li>
  );
}

function nextTry(retryMs: number): string {
  return retryMs > Date.now() ? words.again(formatTime(new Date(retryMs).toISOString())) : words.nextScan;
}
