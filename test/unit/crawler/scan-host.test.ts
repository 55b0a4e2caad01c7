import { expect, test } from '@jest/globals';
import { CrawlerError } from '../../../src/base/errors.js';
import { silentLogger } from '../../../src/base/logger.js';
import { ScanHost, type ScanHostDeps } from '../../../src/crawler/scan-thread/scan-host.js';
import type { StoredDocument } from '../../../src/engine/engine.js';
import { MemoryEngine } from '../../support/memory-engine.js';

const { signal } = new AbortController();

/** Two pages of one document; the reading number `failsAt` breaks off after the first one. */
class PagedEngine extends MemoryEngine {
  readonly asked: (readonly string[] | undefined)[] = [];
  failsAt = 0;

  override async *scan(
    index: string,
    _signal?: AbortSignal,
    fields?: readonly string[],
  ): AsyncGenerator<readonly StoredDocument[]> {
    this.asked.push(fields);
    const isFailing = this.asked.length === this.failsAt;
    yield await Promise.resolve([documentOf(index, 'a.txt')]);
    if (isFailing) throw new CrawlerError('unavailable', 'The engine is away.');
    yield [documentOf(index, 'b.txt')];
  }
}

function documentOf(index: string, name: string): StoredDocument {
  const file = { filesize: 3, last_modified: '2024-01-02T03:04:05.678+00:00' };
  return { index, id: name, version: 1, source: { file, path: { real: `/docs/${name}`, root: 'r' } } };
}

function open(engine: PagedEngine): ScanHost {
  const deps = { engine, index: 'docs', logger: silentLogger, documentLog: silentLogger };
  return new ScanHost(deps as unknown as ScanHostDeps, signal);
}

async function readAll(port: ScanHost): Promise<string[]> {
  const paths: string[] = [];
  for (let page = await port.indexPage('first'); page !== undefined; page = await port.indexPage('next'))
    paths.push(...page.map(({ real }) => real));
  return paths;
}

test('the index is read for path, size and date only, not for the texts of its documents', async () => {
  const engine = new PagedEngine();
  const page = await open(engine).indexPage('first');
  expect(page).toEqual([{ id: 'a.txt', real: '/docs/a.txt', size: 3, modifiedMs: 1_704_164_645_678 }]);
  expect(engine.asked).toEqual([['file.filesize', 'file.last_modified', 'path.real', 'path.root']]);
});

test('a reading that broke off begins anew, instead of passing for an index that ends there', async () => {
  const engine = new PagedEngine();
  engine.failsAt = 1;
  const port = open(engine);
  await expect(readAll(port)).rejects.toThrow('The engine is away.');
  expect(await readAll(port)).toEqual(['/docs/a.txt', '/docs/b.txt']);
});

test('a reading that nobody finished is given up by the next one', async () => {
  const port = open(new PagedEngine());
  await port.indexPage('first');
  expect(await readAll(port)).toEqual(['/docs/a.txt', '/docs/b.txt']);
});
