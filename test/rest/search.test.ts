import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { call } from './rest-harness.js';
import { startEngineRest, type EngineHarness } from './engine-harness.js';

/** `GET /_search` over the embedded index. */
let api: EngineHarness;

beforeAll(async () => {
  api = await startEngineRest();
  await api.write({
    report: {
      content: 'type pdf: a report',
      file: { filename: 'report.txt', extension: 'txt', content_type: 'text/plain' },
    },
    chart: { content: 'a chart', file: { filename: 'chart.pdf', extension: 'pdf', content_type: 'application/pdf' } },
  });
});
afterAll(() => api.close());

async function found(q: string): Promise<string[]> {
  const { body } = await call(`${api.rest.url}/_search?q=${encodeURIComponent(q)}`);
  return (body['hits'] as { id: string }[]).map(({ id }) => id).sort();
}

describe('GET /_search', () => {
  test.each([
    ['report', ['report']],
    ['"a chart" | report', ['chart', 'report']],
    ['a -chart', ['report']],
    ['re*', ['report']],
    // Only the short names of docs/search.md are fields.
    ['pdf: a', ['chart', 'report']],
    ['type: pdf', ['report']],
    ['nothing:pdf', []],
    ['a OR chart', []],
  ])('%s is searched as ever', async (q, ids) => {
    expect(await found(q)).toEqual(ids);
  });

  test.each([
    ['type:pdf', ['chart']],
    ['a -type:pdf', ['report']],
    ['(ext:txt | type:image)', ['report']],
    ['name:chart.pdf', ['chart']],
  ])('%s has the meaning of docs/search.md', async (q, ids) => {
    expect(await found(q)).toEqual(ids);
  });

  test('a wrong type is a 400 with the nearest', async () => {
    expect(await call(`${api.rest.url}/_search?q=type:pfd`)).toMatchObject({
      status: 400,
      body: { ok: false, message: 'There is no type [pfd]. Did you mean [pdf]?' },
    });
  });
});
