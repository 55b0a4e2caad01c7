import { send } from '../api.js';
import type { VerifyState } from '../operator-api.js';
import { ForeignText } from '../parts/foreign-text.js';
import type { Polled } from '../parts/use-polled.js';
import { ForEditors } from '../parts/rights.js';
import { badge } from '../text/badge.js';
import { words } from '../text/operator.js';
import { Card, Moment, Said } from './card.js';
import { useAction } from './use-action.js';

interface TruthCardProps {
  readonly verification: Polled<VerifyState>;
}

/** Whether the index equals the tree, since when that is known, and what differs. */
export function TruthCard({ verification: { value, fault, refresh } }: TruthCardProps) {
  const action = useAction();
  const isRunning = (value?.running ?? null) !== null;
  const change = (method: 'POST' | 'DELETE'): void => {
    void action.run(() => send(method, '_crawler/verify')).then(refresh);
  };
  const button = (
    <ForEditors>
      <button
        type="button"
        disabled={action.isBusy || value === undefined}
        onClick={() => change(isRunning ? 'DELETE' : 'POST')}
      >
        {isRunning ? words.stop : words.checkNow}
      </button>
    </ForEditors>
  );
  return (
    <Card title={words.truth} kind={`truth-card ${value?.truth.state ?? ''}`} aside={button}>
      {value === undefined && fault !== undefined && <p>{fault.message}</p>}
      {value !== undefined && <Verdict value={value} />}
      {action.failed && <Said action={action} />}
    </Card>
  );
}

function Verdict({ value }: { readonly value: VerifyState }) {
  const { truth, running, failed, last } = value;
  return (
    <>
      <p class={`verdict truth ${truth.state}`}>
        <span aria-hidden="true">{badge.icons[truth.state]}</span> {words.truthName[truth.state]}
      </p>
      <p>
        <ForeignText text={truth.sentence} />{' '}
        {truth.at !== null && (
          <span class="soft">
            (<Moment at={truth.at}>{badge.checked(Date.now() - Date.parse(truth.at))}</Moment>)
          </span>
        )}
      </p>
      {running !== null && <p role="status">{words.seen(running.files, running.documents)}</p>}
      {failed !== null && (
        <p class="fault">
          {words.checkFailed} <ForeignText text={failed.message} />
        </p>
      )}
      {last !== null && !last.equal && <Findings last={last} />}
    </>
  );
}

function Findings({ last }: { readonly last: NonNullable<VerifyState['last']> }) {
  return (
    <>
      <ul class="plain-list">
        {Object.entries(last.verification.differences).map(([kind, count]) => (
          <li key={kind}>{words.kind(count, kind)}</li>
        ))}
      </ul>
      <details>
        <summary>{words.findings(last.findings.length)}</summary>
        <ul class="paths">
          {last.findings.map(({ kind, path, detail }) => (
            <li key={`${kind} ${path}`}>
              <ForeignText text={path} /> <span class="soft">{detail ?? words.kinds[kind]}</span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}
