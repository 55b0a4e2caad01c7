import { expect } from '@jest/globals';
import type { WatchedPage } from './watched-page.js';

/** Two values of one filter are an or, two filters an and; one click takes each back, or all. From a search with 2 hits of 2 types. */
export async function expectFiltersCombine({ page }: WatchedPage, types: readonly [string, string]): Promise<void> {
  const hits = (count: number): Promise<unknown> => page.waitForSelector(`.hits > li:nth-child(${count}):last-child`);
  const [first, second] = types;
  const value = (type: string): ReturnType<typeof page.locator> =>
    page.locator('.facet', { has: page.locator('legend', { hasText: 'Type' }) }).getByLabel(type);
  await value(first).check();
  await hits(1);
  await value(second).check();
  await hits(2);
  expect(new URL(page.url()).searchParams.getAll('type')).toHaveLength(2);
  await page
    .locator('.facet', { has: page.locator('legend', { hasText: 'Size' }) })
    .getByRole('checkbox')
    .first()
    .check();
  await page.waitForSelector('.list .chips li:nth-child(4)');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.waitForSelector('.list .chips', { state: 'detached' });
  await hits(2);
  expect([...new URL(page.url()).searchParams.keys()]).toEqual(['q']);
}

/** Back and forward lead through a search, a filter and a document. From a search whose first hit is a PDF with marks. */
export async function expectHistoryWorks({ page }: WatchedPage): Promise<void> {
  const searched = page.url();
  const types = page.locator('.facet', { has: page.locator('legend', { hasText: 'Type' }) });
  await types.getByLabel('PDF').check();
  await page.waitForSelector('.list .chip');
  const filtered = page.url();
  await page.click('.hits .name');
  await page.waitForSelector('.text mark');
  const opened = page.url();
  await page.goBack();
  await page.waitForSelector('.pane', { state: 'detached' });
  expect(page.url()).toBe(filtered);
  await page.goBack();
  await page.waitForSelector('.list .chip', { state: 'detached' });
  expect(page.url()).toBe(searched);
  await page.goForward();
  await page.waitForSelector('.list .chip');
  await page.goForward();
  await page.waitForSelector('.text mark');
  expect(page.url()).toBe(opened);
}
