import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startCrawler, type RunningCrawler } from './crawler-process.js';
import { ask } from './real-engines.js';

/** Jobs of the real binary on a real search engine: trees to crawl, services to ask, and what the server really holds. */
export type Json = Record<string, unknown>;

export interface Service {
  readonly crawler: RunningCrawler;
  readonly url: string;
}

export interface Tree {
  readonly name: string;
  readonly config: string;
  readonly paths: readonly string[];
  /** Arguments that crawl it into the server. */
  readonly args: readonly string[];
}

export class EngineJobs {
  readonly #directory = mkdtempSync(join(tmpdir(), 'crawler-engine-'));
  readonly #started: RunningCrawler[] = [];

  /** Ten folders with files of some kilobytes; the eighth file tells of a lighthouse. */
  makeTree(engineUrl: string, name: string, files: number): Tree {
    const root = join(this.#directory, name);
    const config = join(this.#directory, `${name}-config`);
    const paths = Array.from({ length: files }, (_, at) => join(root, `folder-${at % 10}`, `${at}.txt`));
    paths.forEach((path, at) => {
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, `Number ${at}. ${at === 7 ? 'lighthouse ' : ''}${'word '.repeat(300)}`);
    });
    const settings = [`engine.urls=${engineUrl}`, 'fs.update_rate=1h'].flatMap((each) => ['--set', each]);
    return { name, config, paths: paths.sort(), args: [root, '--config_dir', config, ...settings] };
  }

  async startService(args: readonly string[]): Promise<Service> {
    const crawler = startCrawler([...args, '--rest', '--set', 'rest.url=http://127.0.0.1:0']);
    this.#started.push(crawler);
    let output = '';
    crawler.child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await crawler.printed('Rest service started on');
    const url = /Rest service started on \[([^\]]+)\]/.exec(output)?.[1];
    if (url === undefined) throw new Error(`no address in ${output}`);
    return { crawler, url };
  }

  /** A failed test may have left a service behind. */
  async end(): Promise<void> {
    for (const { child } of this.#started) child.kill('SIGKILL');
    await Promise.all(this.#started.map(({ finished }) => finished));
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

export async function stop({ crawler }: Service): Promise<number | null> {
  crawler.child.kill('SIGTERM');
  return (await crawler.finished).code;
}

export async function call({ url }: Service, method: string, path: string): Promise<{ status: number; body: Json }> {
  const response = await fetch(url + path, { method });
  return { status: response.status, body: (await response.json()) as Json };
}

export async function upload({ url }: Service, name: string): Promise<Json> {
  const form = new FormData();
  form.append('file', new Blob([`Uploaded as ${name.replace('.txt', '')}.`]), name);
  return (await (await fetch(`${url}/_document`, { method: 'POST', body: form })).json()) as Json;
}

/** Asks for the status until it is as wanted, for at most two minutes. */
export async function status(service: Service, isWanted: (status: Json) => boolean): Promise<Json> {
  let body: Json = {};
  for (let attempt = 0; attempt < 1200; attempt += 1) {
    ({ body } = await call(service, 'GET', '/_crawler/status'));
    if (isWanted(body)) return body;
    await delay(100);
  }
  throw new Error(`The status did not become as wanted: ${JSON.stringify(body)}`);
}

/** Paths of all crawled documents that the server really holds. */
export async function storedPaths(engineUrl: string, index: string): Promise<string[]> {
  const sources = await storedSources(engineUrl, index, { exists: { field: 'path.root' } });
  return sources.map(({ path }) => path?.real ?? '').sort();
}

/** Names of all uploaded documents that the server really holds; a name that is there twice would be named twice. */
export async function storedUploads(engineUrl: string, index: string): Promise<string[]> {
  const query = { bool: { must_not: { exists: { field: 'path.root' } } } };
  const sources = await storedSources(engineUrl, index, query);
  return sources.map(({ file }) => file?.filename ?? '').sort();
}

interface StoredSource {
  readonly path?: { readonly real?: string };
  readonly file?: { readonly filename?: string };
}

async function storedSources(engineUrl: string, index: string, query: object): Promise<StoredSource[]> {
  await ask(engineUrl, 'POST', `/${index}/_refresh`);
  const body = { size: 10_000, _source: ['path.real', 'file.filename'], query };
  const answer = (await ask(engineUrl, 'POST', `/${index}/_search`, body)) as {
    hits: { hits: { _source: StoredSource }[] };
  };
  return answer.hits.hits.map(({ _source }) => _source);
}
