import type { Logger, LogFields } from '../base/logger.js';
import type { ScanProgress } from '../crawler/scan/scan-port.js';

/**
 * One line on a terminal that is rewritten in place: what was seen, indexed and failed, the rate, an estimate of the rest
 * as soon as it can be honest, and the current folder. On a pipe nothing is written.
 */
export interface ProgressOptions {
  readonly enabled: boolean;
  readonly stream: NodeJS.WriteStream;
}

/** Before this share and time an estimate would be a guess. */
const HONEST_SHARE = 0.05;
const HONEST_MS = 3000;
const CLEAR_LINE = '\r\u001b[K';

export class Progress {
  readonly enabled: boolean;
  readonly #stream: NodeJS.WriteStream;
  readonly #startMs = performance.now();
  #total: number | undefined;
  #shown = false;

  constructor({ enabled, stream }: ProgressOptions) {
    this.enabled = enabled;
    this.#stream = stream;
  }

  /** The number of files below the root, when it has been counted. */
  expect(total: number): void {
    this.#total = total;
  }

  show(progress: ScanProgress): void {
    if (!this.enabled) return;
    const columns = Math.max(40, this.#stream.columns - 1);
    const line = progressLine(progress, performance.now() - this.#startMs, this.#total);
    this.#stream.write(CLEAR_LINE + (line.length > columns ? `${line.slice(0, columns - 1)}…` : line));
    this.#shown = true;
  }

  clear(): void {
    if (this.#shown) this.#stream.write(CLEAR_LINE);
    this.#shown = false;
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

/** `1200 seen, 800 indexed, 2 failed, 350/s, 40 % – about 3m 20s left – /data/reports` */
export function progressLine(progress: ScanProgress, elapsedMs: number, total: number | undefined): string {
  const { seen, files, failed, currentPath } = progress;
  const rate = elapsedMs > 0 ? Math.round((files / elapsedMs) * 1000) : 0;
  const parts = [`${seen} seen, ${files} indexed`, ...(failed > 0 ? [`${failed} failed`] : []), `${rate}/s`];
  const left = remainingMs(seen, elapsedMs, total);
  const estimate = left === undefined ? '' : ` – about ${duration(left)} left`;
  const folder = currentPath === undefined ? '' : ` – ${currentPath.replace(/\p{Cc}/gu, '?')}`;
  return parts.join(', ') + estimate + folder;
}

function remainingMs(seen: number, elapsedMs: number, total: number | undefined): number | undefined {
  if (total === undefined || elapsedMs < HONEST_MS || seen < total * HONEST_SHARE || seen > total) return undefined;
  return (elapsedMs / seen) * (total - seen);
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours}h ${minutes}m`;
  return minutes > 0 ? `${minutes}m ${seconds % 60}s` : `${seconds}s`;
}
