import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { RunningCrawler } from '../../support/crawler-process.js';
import { Person } from '../../support/person.js';
import { freePort } from '../../support/program.js';
import { describeInBrowser, launchBrowser, WatchedPage } from '../../support/watched-page.js';

/** The pages of a service that wants keys, in a real browser, against the real program. */
describeInBrowser('a service with keys', () => {
  let person: Person;
  let port: number;
  let crawler: RunningCrawler;
  let browser: Browser;
  let watched: WatchedPage;

  const start = async (): Promise<void> => {
    const settings = ['rest.api_keys=full-key', 'rest.read_keys=read-key', `rest.url=http://127.0.0.1:${port}`];
    crawler = person.starts(['./docs', '--rest', ...settings.flatMap((each) => ['--set', each])]);
    await crawler.printed('Search page: ');
  };
  const stop = async (): Promise<void> => {
    crawler.child.kill('SIGTERM');
    await crawler.finished;
  };

  beforeAll(async () => {
    person = new Person();
    person.writes('docs/letter.txt', 'The keeper wrote of the lighthouse.');
    person.writes('docs/broken.pdf', '%PDF-1.7 nothing more');
    port = await freePort();
    await start();
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    watched = await WatchedPage.open(browser, `http://127.0.0.1:${port}/ui/?q=keeper`);
  });
  afterEach(async () => {
    await watched.context.close();
    expect(watched.faults).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await stop();
    person.leaves();
  });

  const signIn = async (key: string): Promise<void> => {
    await watched.page.getByLabel('Key of the service').fill(key);
    await watched.page.keyboard.press('Enter');
  };
  const found = (): Promise<void> => watched.page.locator('.hits mark', { hasText: 'keeper' }).first().waitFor();

  test('asks for one, goes on with what was asked, and asks no more until somebody signs out', async () => {
    const { page } = watched;
    await page.getByRole('dialog').waitFor();
    expect(await watched.violations()).toEqual([]);
    await watched.keep('sign-in');
    // A person may not get rid of it: there is nothing behind it yet.
    await page.keyboard.press('Escape');
    await signIn('wrong');
    await page.getByText('This key is not one of the service.').waitFor();
    await signIn('full-key');
    await found();
    expect(page.url()).toMatch(/\?q=keeper$/);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])')).not.toContain('key');
    await page.reload();
    await found();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('dialog').waitFor();
    await page.reload();
    await page.getByRole('dialog').waitFor();
  });

  test('a restart of the service asks again, and nothing that was typed is lost', async () => {
    const { page } = watched;
    await signIn('full-key');
    await found();
    await page.getByRole('searchbox').fill('lighthouse');
    await stop();
    await start();
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('dialog').waitFor();
    await signIn('full-key');
    await page.locator('.hits mark', { hasText: 'lighthouse' }).first().waitFor();
    expect(page.url()).toMatch(/\?q=lighthouse$/);
    // The page has asked while there was no service.
    watched.expects('ERR_CONNECTION_REFUSED');
  });

  test('a reader may search and look, and is offered nothing else', async () => {
    const { page } = watched;
    await signIn('read-key');
    await found();
    await page.getByRole('link', { name: 'Operator' }).click();
    await page.getByText('signed in with a key that may search and look').waitFor();
    await watched.card('Failures').getByText('broken.pdf').waitFor();
    expect(await watched.violations()).toEqual([]);
    await watched.keep('operator-reader');
    const buttons = await page.getByRole('button').allInnerTexts();
    for (const each of ['Check now', 'Pause', 'Scan now', 'What would it do?']) expect(buttons).not.toContain(each);
    expect(await page.getByText('Add documents').count()).toBe(0);
    expect(await page.getByText('"api_keys"').count()).toBe(0);
  });
});
