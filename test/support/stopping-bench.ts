import type { SpawnOptions } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCrawler, type Finished, type RunningCrawler } from './crawler-process.js';
import { freePort } from './program.js';
import { SlowPictures } from './slow-pictures.js';

/** Documents and a config folder of their own. */
export interface StoppingPlace {
  readonly docs: string;
  readonly config: string;
  /** The job's folder. */
  readonly job: string;
  readonly args: readonly string[];
  /** Pictures among the documents. */
  readonly pictures: (names: readonly string[], deed: string) => Promise<SlowPictures>;
}

/** Crawlers that are stopped. A failed test may have left a process behind: all of them are ended. */
export class StoppingBench {
  readonly #directory = mkdtempSync(join(tmpdir(), 'crawler-stop-'));
  readonly #started: RunningCrawler[] = [];
  #made = 0;

  place(): StoppingPlace {
    this.#made += 1;
    const [docs, config, bin] = ['docs', 'config', 'bin'].map((name) => join(this.#directory, `${name}-${this.#made}`));
    if (docs === undefined || config === undefined || bin === undefined) throw new Error('unreachable');
    for (const folder of [docs, bin]) mkdirSync(folder);
    const pictures = (names: readonly string[], deed: string): Promise<SlowPictures> =>
      SlowPictures.make(docs, bin, names, deed);
    const job = join(config, `docs-${this.#made}`);
    return { docs, config, job, args: [docs, '--config_dir', config], pictures };
  }

  start(args: readonly string[], options: SpawnOptions = {}): RunningCrawler {
    const crawler = startCrawler(args, options);
    this.#started.push(crawler);
    return crawler;
  }

  endAll(): void {
    for (const { child } of this.#started.splice(0)) child.kill('SIGKILL');
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

export function textFiles(docs: string, count: number): void {
  for (let at = 0; at < count; at += 1) {
    const folder = join(docs, `folder-${at % 20}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${at}.html`), `<p>Document ${at}. ${'Some words of it. '.repeat(300)}</p>`);
  }
}

export function linesOf(text: string): string[] {
  return text.trimEnd().split('\n');
}

/** Documents of the log that were indexed, by id. */
export function extractions(config: string): string[] {
  const path = join(config, 'logs', 'documents.log');
  const log = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return linesOf(log).flatMap((line) => /\[DEBUG\] \[(\w+)\]\[.*\] Indexed$/.exec(line)?.[1] ?? []);
}

export async function stopWhen(crawler: RunningCrawler, text: string, signal: NodeJS.Signals): Promise<Finished> {
  await crawler.printed(text);
  crawler.child.kill(signal);
  return await crawler.finished;
}

export async function noServer(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}
