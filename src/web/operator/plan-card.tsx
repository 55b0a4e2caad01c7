import { send } from '../api.js';
import { formatSize } from '../format.js';
import type { Plan, PlanState } from '../operator-api.js';
import { ForeignText } from '../parts/foreign-text.js';
import { usePolled } from '../parts/use-polled.js';
import { ForEditors } from '../parts/rights.js';
import { words } from '../text/operator.js';
import { Card, Moment, Said } from './card.js';
import { useAction } from './use-action.js';

const RUNNING_MS = 500;
/** Nobody but a person at another page starts one. */
const IDLE_MS = 30_000;

/** What the next scan would do, and how long it may take. */
export function PlanCard() {
  const { value, refresh } = usePolled<PlanState>('_crawler/plan', ({ running }) =>
    running === null ? IDLE_MS : RUNNING_MS,
  );
  const action = useAction();
  const { running = null, failed = null, last = null } = value ?? {};
  const change = (method: 'POST' | 'DELETE'): void => {
    void action.run(() => send(method, '_crawler/plan')).then(refresh);
  };
  return (
    <Card
      title={words.plan}
      aside={
        <ForEditors>
          <button type="button" disabled={action.isBusy} onClick={() => change(running === null ? 'POST' : 'DELETE')}>
            {running === null ? words.planNow : words.stop}
          </button>
        </ForEditors>
      }
    >
      {running === null && last === null && <p class="soft">{words.planAdvice}</p>}
      {running !== null && <p role="status">{words.planning(running.files)}</p>}
      {action.failed && <Said action={action} />}
      {failed !== null && (
        <p class="fault">
          {words.planFailed} <ForeignText text={failed.message} />
        </p>
      )}
      {last !== null && (
        <div class="plan">
          <PlanResult plan={last.plan} />
          <p class="soft">
            <Moment at={last.at}>{words.found(Date.now() - Date.parse(last.at))}</Moment>
          </p>
        </div>
      )}
    </Card>
  );
}

function PlanResult({ plan }: { readonly plan: Plan }) {
  const { changes, work, leftOut, closedFolders, estimate } = plan;
  return (
    <>
      <ul class="plain-list changes">
        {Object.entries(changes)
          .filter(([, { files }]) => files > 0)
          .map(([change, { files }]) => (
            <li key={change}>
              <strong>{words.number(files)}</strong> {words.changes[change] ?? change}
            </li>
          ))}
      </ul>
      <p>
        {words.work(work.files, formatSize(work.bytes))} {work.files > 0 && <Estimate estimate={estimate} />}
      </p>
      {closedFolders > 0 && <p>{words.closed(closedFolders)}</p>}
      {leftOut.length > 0 && (
        <details>
          <summary>{words.leftOut}</summary>
          <ul class="paths">
            {leftOut.map(({ reason, rule, files, folders }) => (
              <li key={`${reason} ${rule}`}>
                {words.leftOutRow(files, folders)}: {words.reason(reason)} (<ForeignText text={rule} />)
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Estimate({ estimate }: { readonly estimate: Plan['estimate'] | undefined }) {
  if (estimate === undefined) return <>{words.noEstimate}</>;
  const [from = 0, to = 0] = [estimate.byFilesMs, estimate.byBytesMs].sort((left, right) => left - right);
  return <>{words.estimate(words.duration(from), words.duration(to), estimate.basis.files)}</>;
}
