import { setTimeout as delay } from 'node:timers/promises';
import type { RunningCrawler } from './crawler-process.js';
import type { Person } from './person.js';

/** The real program with its pages, on a port that the system has chosen. */
export interface WebService {
  readonly person: Person;
  readonly crawler: RunningCrawler;
  /** Without a slash at its end. */
  readonly url: string;
}

/** @param address of the service; port 0 lets the system choose */
export async function serve(
  person: Person,
  args: readonly string[],
  address = 'http://127.0.0.1:0',
): Promise<WebService> {
  const crawler = person.starts([...args, '--rest', '--set', `rest.url=${address}`]);
  let printed = '';
  crawler.child.stdout?.on('data', (text: Buffer) => (printed += text.toString()));
  await crawler.printed('Search page: ');
  return { person, crawler, url: /Search page: (\S+)\/ui\//.exec(printed)?.[1] ?? '' };
}

export async function stop({ crawler }: WebService): Promise<number | null> {
  crawler.child.kill('SIGTERM');
  return (await crawler.finished).code;
}

/** Stops the service, and removes everything of the person. */
export async function leave(service: WebService): Promise<void> {
  await stop(service);
  service.person.leaves();
}

export interface StatusBody {
  readonly state: string;
  readonly paused_by: string | null;
  readonly scan_id: string;
  readonly held_deletions: { readonly documents: number } | null;
}

/** Resolves when a scan has ended, another one than `before`. */
export async function untilIdle(url: string, before?: string): Promise<StatusBody> {
  for (;;) {
    const status = (await (await fetch(`${url}/_crawler/status`)).json()) as StatusBody;
    if (status.state === 'PAUSED' && status.scan_id !== before) return status;
    await delay(50);
  }
}

/** A whole scan, begun now. */
export async function scan(url: string): Promise<StatusBody> {
  const { scan_id: before } = await untilIdle(url);
  await fetch(`${url}/_crawler/resume`, { method: 'POST' });
  return await untilIdle(url, before);
}
