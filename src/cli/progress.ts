import type { Logger, LogFields } from '../base/logger.js';
import type { ScanProgress } from '../crawler/scan/scan-port.js';
import type { Activity } from '../operations/monitor/monitor.js';

/**
 * Lines on a terminal that are rewritten in place: a bar with what is done of what there is to do, failures, the rate, an
 * estimate of the rest as soon as it can be honest, a file in hand; and below it the documents that take long. On a pipe
 * nothing is written.
 */
export interface ProgressOptions {
  readonly enabled: boolean;
  readonly stream: NodeJS.WriteStream;
}

/** Characters of the bar. */
const BAR = 20;

/** A document that is under way for so long gets a line of its own; only a few are shown. */
const SLOW_MS = 3000;
const MOST_SLOW = 4;

export class Progress {
  readonly enabled: boolean;
  readonly #stream: NodeJS.WriteStream;
  #shownLines = 0;
  #progress: ScanProgress | undefined;

  constructor({ enabled, stream }: ProgressOptions) {
    this.enabled = enabled;
    this.#stream = stream;
  }

  show(progress: ScanProgress, activity: Activity): void {
    if (!this.enabled) return;
    this.#progress = progress;
    const columns = Math.max(40, this.#stream.columns - 1);
    const lines = [progressLine(progress, activity, columns), ...slowLines(activity)].map((line) =>
      shortened(line, columns),
    );
    this.#stream.write(this.#erasure() + lines.join('\n'));
    this.#shownLines = lines.length;
  }

  /** Nothing has moved, but time has passed. */
  refresh(activity: Activity): void {
    if (this.#progress !== undefined) this.show(this.#progress, activity);
  }

  /** A scan has ended: there is nothing to refresh any more. */
  end(): void {
    this.clear();
    this.#progress = undefined;
  }

  clear(): void {
    this.#stream.write(this.#erasure());
    this.#shownLines = 0;
  }

  /** Back to the first of the lines that are shown, and everything from there on is gone. */
  #erasure(): string {
    if (this.#shownLines === 0) return '';
    return `\r${this.#shownLines > 1 ? `\u001b[${this.#shownLines - 1}A` : ''}\u001b[J`;
  }

  /** A logger whose lines do not end up behind the progress line. */
  around(logger: Logger): Logger {
    const wrap =
      (level: 'error' | 'warn' | 'info' | 'debug' | 'trace') =>
      (message: string, fields?: LogFields): void => {
        this.clear();
        logger[level](message, fields);
      };
    return {
      error: wrap('error'),
      warn: wrap('warn'),
      info: wrap('info'),
      debug: wrap('debug'),
      trace: wrap('trace'),
      isEnabled: (level) => logger.isEnabled(level),
    };
  }
}

/** `[######--------------] 1200/4000 (30%), 2 failed, 350/s, about 8s left – /data/reports/annual.pdf` */
export function progressLine(progress: ScanProgress, activity: Activity, columns = Number.POSITIVE_INFINITY): string {
  const { filesPerSecond, remainingMs, current } = activity;
  const { failed } = progress.run;
  const facts = [
    progressText(progress, activity),
    ...(failed > 0 ? [`${failed} failed`] : []),
    `${Math.round(filesPerSecond)}/s`,
    ...(remainingMs === undefined ? [] : [`about ${duration(remainingMs)} left`]),
  ].join(', ');
  const place = current[0]?.document ?? progress.currentPath;
  return place === undefined ? facts : `${facts} – ${shortenedPath(printable(place), columns - facts.length - 3)}`;
}

/** What is done of what there is to do; before that has been counted, what was seen and indexed. */
function progressText({ seen }: ScanProgress, { run }: Activity): string {
  const resumed = run?.isResumed === true ? ' in this run (resumed)' : '';
  if (run?.total === undefined) return `${seen} seen, ${run?.indexed ?? 0} indexed${resumed}`;
  const { settled, total } = run;
  const share = total === 0 ? 1 : settled / total;
  const full = Math.floor(share * BAR);
  return `[${'#'.repeat(full)}${'-'.repeat(BAR - full)}] ${settled}/${total} (${Math.floor(share * 100)}%)${resumed}`;
}

/** What holds a process for long is worth a line: it tells a slow document from a crawl that is stuck. */
function slowLines({ current }: Activity): readonly string[] {
  return current
    .filter(({ elapsedMs }) => elapsedMs >= SLOW_MS)
    .slice(0, MOST_SLOW)
    .map(({ document, elapsedMs, page, pages }) => {
      const recognition = page === undefined ? '' : `, recognising page ${page} of ${pages ?? '?'}`;
      return `  ${duration(elapsedMs)} in ${printable(document)}${recognition}`;
    });
}

/** The end of a path tells more than its beginning. */
function shortenedPath(path: string, columns: number): string {
  return path.length > columns ? `…${path.slice(path.length - Math.max(1, columns - 1))}` : path;
}

function shortened(line: string, columns: number): string {
  return line.length > columns ? `${line.slice(0, columns - 1)}…` : line;
}

/** Names of files never steer the terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '?');
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours}h ${minutes}m`;
  return minutes > 0 ? `${minutes}m ${seconds % 60}s` : `${seconds}s`;
}
