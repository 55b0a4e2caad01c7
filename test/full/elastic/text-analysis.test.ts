import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import { EmbeddedEngine } from '../../../src/engine/embedded/embedded-engine.js';
import { ask, describeRealEngines } from '../../support/real-engines.js';
import { tempDir } from '../../support/temp-dir.js';

/**
 * The table of docs/text-analysis.md against the embedded index, a server as the crawler sets it up, and a server with the
 * analyzer that the page recommends.
 */
const SIGNAL = new AbortController().signal;

type Row = readonly [text: string, query: string, embedded: boolean, standard: boolean, folded: boolean];

async function pageTable(): Promise<Row[]> {
  const page = await readFile(new URL('../../../docs/text-analysis.md', import.meta.url), 'utf8');
  const rows = page.matchAll(/^\| `(.+?)` +\| `(.+?)` +\| (yes|no) +\| (yes|no) +\| (yes|no) +\|/gmu);
  return Array.from(rows, ([, text = '', query = '', ...found]): Row => {
    const [embedded, standard, folded] = found.map((each) => each === 'yes');
    return [text.replaceAll('␣', '\u00ad'), query, embedded ?? false, standard ?? false, folded ?? false];
  });
}

async function analyzerOfPage(): Promise<unknown> {
  const page = await readFile(new URL('../../../docs/text-analysis.md', import.meta.url), 'utf8');
  return JSON.parse(/```json\n(.+?)```/su.exec(page)?.[1] ?? 'null');
}

const match = (query: string): object => ({ match: { content: { query, operator: 'and' } } });

describe('the embedded index analyses text as its page says', () => {
  const engine = new EmbeddedEngine({
    directory: tempDir(),
    baseUrl: () => undefined,
    version: '0',
    logger: silentLogger,
  });
  afterAll(() => engine.close());

  test('row by row', async () => {
    const rows = await pageTable();
    expect(rows.length).toBeGreaterThan(8);
    const operations = rows.map(([content], at) => {
      return { kind: 'index', index: 'texts', id: String(at), document: { content } } as const;
    });
    await engine.write(operations, SIGNAL);
    const found: Row[] = [];
    for (const [at, [text, query, , ...others]] of rows.entries()) {
      const { hits } = await engine.search({ index: 'texts', body: { query: match(query), size: 100 } }, SIGNAL);
      found.push([text, query, hits.hits.some(({ _id }) => _id === String(at)), ...others]);
    }
    expect(found).toEqual(rows);
  });
});

describeRealEngines('a server analyses text as the page says', (url) => {
  const names = ['texts_standard', 'texts_folded'] as const;
  const removeAll = async (): Promise<void> => {
    for (const name of names) await ask(url(), 'DELETE', `/${name}`);
  };
  beforeAll(removeAll);
  afterAll(removeAll);

  test('row by row, without and with the analyzer of the page', async () => {
    const rows = await pageTable();
    const mappings = { properties: { content: { type: 'text' } } };
    await ask(url(), 'PUT', '/texts_standard', { mappings });
    const { template } = (await analyzerOfPage()) as { template: object };
    await ask(url(), 'PUT', '/texts_folded', template);
    const found: Row[] = [];
    for (const [at, [text, query, embedded]] of rows.entries()) {
      const answers: boolean[] = [];
      for (const name of names) {
        await ask(url(), 'PUT', `/${name}/_doc/${at}?refresh=true`, { content: text });
        const answer = (await ask(url(), 'POST', `/${name}/_search`, { query: match(query), size: 100 })) as {
          hits: { hits: { _id: string }[] };
        };
        answers.push(answer.hits.hits.some(({ _id }) => _id === String(at)));
      }
      found.push([text, query, embedded, answers[0] ?? false, answers[1] ?? false]);
    }
    expect(found).toEqual(rows);
  });
});
