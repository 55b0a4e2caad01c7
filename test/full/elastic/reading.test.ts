import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ElasticEngine } from '../../../src/engine/elastic/elastic-engine.js';
import type { StoredDocument } from '../../../src/engine/engine.js';
import { InstantClock } from '../../support/instant-clock.js';
import { ask, describeRealEngines } from '../../support/real-engines.js';
import { ScriptedProxy } from '../../support/scripted-proxy.js';
import { elasticEngine } from './elastic-harness.js';

const { signal } = new AbortController();
const COUNT = 10_500;

describeRealEngines('reading', (url) => {
  const index = `read_${randomBytes(6).toString('hex')}`;
  const other = `${index}_other`;
  let proxy: ScriptedProxy;
  let engine: ElasticEngine;

  beforeAll(async () => {
    proxy = await ScriptedProxy.start({ target: url() });
    engine = elasticEngine({
      urls: [proxy.url],
      templates: { pushTemplates: false, index },
      clock: new InstantClock(),
    });
    await engine.prepare(signal);
    for (let start = 0; start < COUNT; start += 3500) {
      const operations = Array.from({ length: 3500 }, (_, i) => ({
        kind: 'index' as const,
        index,
        id: `id${start + i}`,
        document: {
          n: start + i,
          content: `word${(start + i) % 10} ${'filler '.repeat(20)}`,
          path: { real: `/f${start + i}` },
        },
      }));
      await engine.write(operations, signal);
    }
  });
  afterAll(async () => {
    await engine.close();
    await proxy.close();
    await ask(url(), 'DELETE', `/${index}?ignore_unavailable=true`);
    await ask(url(), 'DELETE', `/${other}?ignore_unavailable=true`);
  });

  async function scanned(fields?: readonly string[]): Promise<readonly StoredDocument[][]> {
    const pages: StoredDocument[][] = [];
    for await (const page of engine.scan(index, signal, fields)) pages.push([...page]);
    return pages;
  }

  describe('a scan', () => {
    test('yields every document once, beyond 10,000 of them, in pages', async () => {
      const pages = await scanned();
      const documents = pages.flat();
      expect(new Set(documents.map(({ id }) => id)).size).toBe(COUNT);
      expect(documents).toHaveLength(COUNT);
      expect(pages.every((page) => page.length <= 1000)).toBe(true);
      const first = documents.find(({ id }) => id === 'id7');
      expect(first).toEqual({ index, id: 'id7', version: 1, source: expect.objectContaining({ n: 7 }) });
    });

    test('yields only the fields that are wanted', async () => {
      const documents = (await scanned(['path.real'])).flat();
      expect(documents).toHaveLength(COUNT);
      expect(documents.find(({ id }) => id === 'id7')?.source).toEqual({ path: { real: '/f7' } });
    });

    test('is not disturbed by what is written meanwhile', async () => {
      const ids: string[] = [];
      for await (const page of engine.scan(index, signal)) {
        ids.push(...page.map(({ id }) => id));
        const again = page
          .slice(0, 5)
          .map(({ id, source }) => ({ kind: 'index' as const, index, id, document: source }));
        await engine.write(again, signal);
      }
      expect(ids).toHaveLength(COUNT);
      expect(new Set(ids).size).toBe(COUNT);
    });

    test('that is left early frees what the server keeps for it', async () => {
      proxy.requests.splice(0);
      for await (const page of engine.scan(index, signal)) {
        expect(page.length).toBeGreaterThan(0);
        break;
      }
      expect(proxy.requests.at(-1)?.line).toBe('DELETE /_search/scroll');
    });

    test('fails rather than leave out a page whose answer was lost', async () => {
      proxy.script({ on: /^POST \/_search\/scroll/, act: { kind: 'cut_after' } });
      await expect(scanned()).rejects.toMatchObject({ code: 'unavailable' });
    });

    test('fails rather than leave out a shard that does not answer', async () => {
      const change = (text: string): string => text.replace('"failed":0', '"failed":1');
      proxy.script({ on: /\/_search\?scroll/, act: { kind: 'rewrite', change } });
      await expect(scanned()).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('shard') });
    });

    test('that the server has forgotten says that it may be tried again', async () => {
      const lost = async (): Promise<void> => {
        for await (const page of engine.scan(index, signal)) {
          expect(page.length).toBeGreaterThan(0);
          await ask(url(), 'DELETE', '/_search/scroll/_all');
        }
      };
      await expect(lost()).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('scroll') });
    });

    test('of an index that does not exist is not_found', async () => {
      const missing = async (): Promise<void> => {
        for await (const page of engine.scan(`${index}_missing`, signal)) expect(page).toBeUndefined();
      };
      await expect(missing()).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  describe('a search', () => {
    test('passes request and answer through', async () => {
      const body = { query: { match: { content: 'word3' } }, size: 2, sort: [{ n: 'desc' }], track_total_hits: true };
      const found = await engine.search({ index, body }, signal);
      expect(found.hits.total).toEqual({ value: COUNT / 10, relation: 'eq' });
      expect(found.hits.hits.map(({ _id: id, sort }) => [id, sort])).toEqual([
        ['id10493', [10493]],
        ['id10483', [10483]],
      ]);
    });

    test('asks for a refresh only after a write', async () => {
      const refreshes = (): number => proxy.bodies(/_refresh/).length;
      await engine.write([{ kind: 'index', index, id: 'id0', document: { n: 0 } }], signal);
      proxy.requests.splice(0);
      await engine.count(index, undefined, signal);
      expect(refreshes()).toBe(1);
      await engine.count(index, undefined, signal);
      expect(refreshes()).toBe(1);
    });

    test('continues when the user may not refresh', async () => {
      await engine.write([{ kind: 'index', index, id: 'id0', document: { n: 0 } }], signal);
      proxy.script({ on: /_refresh/, act: { kind: 'answer', status: 403 } });
      expect(await engine.count(index, undefined, signal)).toBeGreaterThan(0);
    });

    test.each([
      ['not_found', '_missing', {}],
      ['corrupt', '', { query: { no_such_query: {} } }],
      ['corrupt', '', { query: { query_string: { query: 'a AND (' } } }],
      ['unsupported', '', { size: 10_001 }],
    ])('ends with %s and the reason in index%s for %j', async (code, suffix, body) => {
      await expect(engine.search({ index: `${index}${suffix}`, body }, signal)).rejects.toMatchObject({
        code,
        message: expect.stringMatching(/^The search in \[read_.*\] failed \(.{10,}\)\.$/s),
      });
    });
  });

  describe('the rest', () => {
    test('counts by query', async () => {
      expect(await engine.count(index, { range: { n: { lt: 10 } } }, signal)).toBe(10);
      await expect(engine.count(`${index}_missing`, undefined, signal)).rejects.toMatchObject({ code: 'not_found' });
    });

    test('lists indices with documents and bytes', async () => {
      const mine = (await engine.indices(signal)).find((each) => each.index === index);
      expect(mine?.documents).toBe(COUNT);
      expect(mine?.bytes).toBeGreaterThan(1000);
    });

    test('shows the mapping', async () => {
      expect(await engine.mapping(index, signal)).toMatchObject({ properties: { n: { type: 'long' } } });
    });

    test('finds no document where there is none', async () => {
      expect(await engine.get(index, 'missing', signal)).toBeUndefined();
      expect(await engine.get(`${index}_missing`, 'a', signal)).toBeUndefined();
    });

    test('does not take a page of a proxy for a missing document or a lost index', async () => {
      const page = {
        on: /^GET/,
        times: 3,
        act: { kind: 'answer', status: 404, body: '<html>Not found</html>' },
      } as const;
      proxy.script(page);
      await expect(engine.get(index, 'id7', signal)).rejects.toMatchObject({ code: 'unavailable' });
      await expect(engine.identity(signal)).rejects.toMatchObject({ code: 'unavailable' });
      await expect(engine.mapping(index, signal)).rejects.toMatchObject({ code: 'unavailable' });
    });

    test('answers the address of a document', async () => {
      expect(engine.urlOf(index, 'id7')).toBe(`${proxy.url}/${index}/_doc/id7`);
      expect(await ask(engine.urlOf(index, 'id7'), 'GET', '')).toMatchObject({ _id: 'id7', found: true });
    });

    test('tells an index that was lost and made again from the old one', async () => {
      const lost = elasticEngine({ urls: [url()], templates: { pushTemplates: false, index: other } });
      const first = await lost.prepare(signal);
      expect(first.identity).not.toBe('absent');
      await lost.write([{ kind: 'index', index: other, id: 'a', document: {} }], signal);
      expect(await lost.prepare(signal)).toEqual(first);
      await ask(url(), 'DELETE', `/${other}`);
      expect(await lost.identity(signal)).toBe('absent');
      const second = await lost.prepare(signal);
      expect(second.identity).not.toBe('absent');
      expect(second).not.toEqual(first);
      await lost.close();
    });

    test.each(['documents', 'folders'])('notices that only the index of the %s was lost', async (which) => {
      const names = { index: `${index}_own`, indexFolder: `${index}_own_folder` };
      const templates = { pushTemplates: false, foldersWanted: true, ...names };
      const job = elasticEngine({ urls: [url()], templates });
      const first = await job.prepare(signal);
      expect(first.identity).not.toContain('absent');
      expect(await job.prepare(signal)).toEqual(first);
      await ask(url(), 'DELETE', `/${which === 'folders' ? names.indexFolder : names.index}`);
      expect(await job.identity(signal)).toContain('absent');
      const second = await job.prepare(signal);
      expect(second.identity).not.toContain('absent');
      expect(second).not.toEqual(first);
      await job.close();
      await ask(url(), 'DELETE', `/${names.index},${names.indexFolder}`);
    });

    test('knows an index behind an alias by its oldest one', async () => {
      const alias = `${index}_alias`;
      await ask(url(), 'PUT', `/${other}?wait_for_active_shards=0`);
      const actions = [other, index].map((each) => ({ add: { index: each, alias } }));
      await ask(url(), 'POST', '/_aliases', { actions });
      const aliased = elasticEngine({ urls: [url()], templates: { pushTemplates: false, index: alias } });
      const direct = elasticEngine({ urls: [url()], templates: { pushTemplates: false, index } });
      expect(await aliased.prepare(signal)).toEqual(await direct.prepare(signal));
      await Promise.all([aliased.close(), direct.close()]);
    });
  });
});
