import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startEngineRest, type EngineHarness } from '../../rest/engine-harness.js';
import { call } from '../../rest/rest-harness.js';
import { describeInBrowser, launchBrowser, WatchedPage } from '../../support/watched-page.js';

/** More hits than engines count, and than others show. */
const DOCUMENTS = 10_200;
/** Those of them that every order is tried with. */
const FEW = 1000;
let api: EngineHarness;

function documents(from: number, to: number): Record<string, object> {
  const entries = Array.from({ length: to - from }, (_, at) => {
    const number = from + at;
    const name = `f${String((number * 7919) % DOCUMENTS).padStart(5, '0')}.txt`;
    const date = new Date(1.7e12 + ((number * 31) % 5000) * 1000).toISOString();
    const file = { filename: name, filesize: number, last_modified: date, indexing_date: date, extension: 'txt' };
    return [`d${number}`, { content: 'harbour', file, path: { real: `/r/${name}`, virtual: `/${name}`, root: 'r' } }];
  });
  return Object.fromEntries(entries) as Record<string, object>;
}

beforeAll(async () => {
  api = await startEngineRest();
  for (let from = 0; from < DOCUMENTS; from += 850) await api.write(documents(from, from + 850));
});
afterAll(() => api.close());

/** Ids of all hits, page after page. */
async function allHits(
  query: string,
  between: (page: number) => Promise<void> = () => Promise.resolve(),
): Promise<string[]> {
  const ids: string[] = [];
  let after = '';
  for (let page = 0; page === 0 || after !== ''; page += 1) {
    const { body } = await call(`${api.rest.url}/_find?${query}&size=50&after=${after}`);
    ids.push(...(body['hits'] as { id: string }[]).map(({ id }) => id));
    after = (body['next'] as string | null) ?? '';
    await between(page);
  }
  return ids;
}

const idsUpTo = (count: number): string[] => Array.from({ length: count }, (_, at) => `d${at}`).sort();

describe('hit after hit', () => {
  test.each(['relevance', 'name'])('in the order %s beyond 10,000, none twice and none missing', async (sort) => {
    const ids = await allHits(`q=harbour&sort=${sort}`);
    expect(ids.sort()).toEqual(idsUpTo(DOCUMENTS));
  });

  test.each(['newest', 'oldest', 'indexed', 'largest', 'path'])('in the order %s, too', async (sort) => {
    const ids = await allHits(`q=harbour&size_to=${FEW - 1}&sort=${sort}`);
    expect(ids.sort()).toEqual(idsUpTo(FEW));
  });

  test.each(['path', 'newest'])('in the order %s while documents are indexed', async (sort) => {
    const more = documents(DOCUMENTS, DOCUMENTS + 100);
    const ids = await allHits(`q=harbour&size_to=${FEW - 1}&sort=${sort}`, async (page) => {
      if (page === 5) await api.write(more);
    });
    await api.remove(Object.keys(more));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.sort()).toEqual(idsUpTo(FEW));
  });
});

describeInBrowser('the search page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test('says that there are more than it has counted, and counts all', async () => {
    const watched = await WatchedPage.open(browser, `${api.rest.url}/ui/?q=harbour`);
    const { page, context, faults } = watched;
    const summary = page.locator('.summary [role=status]');
    await summary.filter({ hasText: 'More than 10,000 documents' }).waitFor();
    expect(await watched.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Count all' }).click();
    await summary.filter({ hasText: /^10,200 documents/ }).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.waitForSelector('.hits > li:nth-child(40)');
    expect(await summary.innerText()).toMatch(/^10,200 documents/);
    expect(await page.getByRole('button', { name: 'Count all' }).count()).toBe(0);
    await context.close();
    expect(faults).toEqual([]);
  });

  test('asks again when the service says, and not before', async () => {
    const watched = await WatchedPage.open(browser, `${api.rest.url}/ui/?q=harbour`);
    const { page, context, faults } = watched;
    await page.waitForSelector('.hits .name');
    await page.clock.install();
    let asked = 0;
    await page.route('**/_find?*', async (route) => {
      asked += 1;
      const body = JSON.stringify({ ok: false, message: 'The search engine rests.' });
      await route.fulfill({ status: 503, headers: { 'retry-after': '300' }, contentType: 'application/json', body });
    });
    await page.fill('input[type=search]', 'f00001');
    await page.keyboard.press('Enter');
    await page.locator('.banner', { hasText: 'The search engine rests.' }).waitFor();
    await page.clock.runFor(200_000);
    expect(asked).toBe(1);
    await page.unroute('**/_find?*');
    await page.clock.runFor(150_000);
    await page.waitForSelector('.banner', { state: 'detached' });
    await context.close();
    expect(faults).toEqual([]);
  });

  test('has a state of its own for an empty index', async () => {
    const empty = await startEngineRest();
    const watched = await WatchedPage.open(browser, `${empty.rest.url}/ui/`);
    await watched.page.getByText('Nothing is indexed yet').waitFor();
    expect(await watched.violations()).toEqual([]);
    await watched.context.close();
    await empty.close();
    expect(watched.faults).toEqual([]);
  });

  test('an engine that is away has its sentence, and is back when it is back', async () => {
    let isReady = true;
    const message = 'The search engine does not answer.';
    const away = await startEngineRest({ engineReady: () => (isReady ? { ready: true } : { ready: false, message }) });
    await away.write({ a: { content: 'harbour', file: { filename: 'a.txt' } } });
    const watched = await WatchedPage.open(browser, `${away.rest.url}/ui/?q=harbour`);
    const { page } = watched;
    await page.waitForSelector('.hits .name');
    isReady = false;
    await page.fill('input[type=search]', 'a.txt');
    await page.keyboard.press('Enter');
    await page.locator('.banner', { hasText: message }).waitFor();
    expect(await page.locator('.hits .name').count()).toBe(1);
    expect(await watched.violations()).toEqual([]);
    isReady = true;
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.waitForSelector('.banner', { state: 'detached' });
    await watched.context.close();
    await away.close();
    expect(watched.faults).toEqual([]);
  });
});
