import type { Status } from '../api.js';
import { words } from '../text/operator.js';
import { Card } from './card.js';
import { TimeList } from './crawl-card.js';

const ORDER = ['indexed', 'sent', 'failed', 'skipped', 'gone'];

/** Files of the tree by what became of them, and the documents that took longest. */
export function DocumentsCard({ activity }: { readonly activity: Status['activity'] }) {
  const { totals, slowest } = activity;
  return (
    <Card title={words.documents}>
      {totals === null && <p>{words.noDocuments}</p>}
      {totals !== null && (
        <dl class="figures">
          {ORDER.filter((state) => state === 'indexed' || (totals.states[state] ?? 0) > 0).map((state) => (
            <div key={state}>
              <dd>{words.number(totals.states[state] ?? 0)}</dd>
              <dt>{words.state(state)}</dt>
            </div>
          ))}
        </dl>
      )}
      {slowest.length > 0 && (
        <details>
          <summary>{words.slowest}</summary>
          <TimeList documents={slowest} />
        </details>
      )}
    </Card>
  );
}
