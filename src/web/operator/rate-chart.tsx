import type { Sample } from '../operator-api.js';
import { words } from '../text/operator.js';

const SPAN_MS = 30 * 60_000;
const WIDTH = 360;
const HEIGHT = 48;
/** A row of the table for each minute. */
const PER_ROW = 12;

/** The rate of the last half hour as a line; in words for those who do not see it, and as a table behind it. */
export function RateChart({ samples }: { readonly samples: readonly Sample[] }) {
  const now = samples.at(-1);
  if (now === undefined || samples.length < 2) return <p class="soft">{words.noChart}</p>;
  const most = Math.max(...samples.map(([, rate]) => rate));
  const points = samples.map(([at, rate]) => {
    const x = WIDTH - ((now[0] - at) / SPAN_MS) * WIDTH;
    const y = HEIGHT - 2 - (most === 0 ? 0 : (rate / most) * (HEIGHT - 4));
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const caption = words.chart(now[1], most);
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={caption}>
        <polyline points={points.join(' ')} />
      </svg>
      <figcaption>{caption}</figcaption>
      <details>
        <summary>{words.chartTable}</summary>
        <div class="scroll" tabIndex={0} role="group" aria-label={words.chartTable}>
          <table>
            <thead>
              <tr>
                {[words.time, words.filesPerSecond, words.folders, words.extraction, words.engineQueue].map((each) => (
                  <th key={each} scope="col">
                    {each}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {samples
                .filter((_, at) => (samples.length - 1 - at) % PER_ROW === 0)
                .reverse()
                .map(([at, ...values]) => (
                  <tr key={at}>
                    <th scope="row">{new Date(at).toLocaleTimeString('en', { timeStyle: 'short' })}</th>
                    {values.map((value, column) => (
                      <td key={column}>{words.number(value)}</td>
                    ))}
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
