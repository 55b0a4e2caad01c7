import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { Person } from '../../support/person.js';
import { describeInBrowser, launchBrowser, WatchedPage } from '../../support/watched-page.js';
import { leave, scan, serve, untilIdle, type WebService } from '../../support/web-service.js';

/** Each thing that people come for, without a mouse. What has the focus shows it at every step. */
describeInBrowser('with the keyboard alone', () => {
  let service: WebService;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    const person = new Person();
    const head = '<html lang="en"><head><title>T</title><meta name="author" content="Ann Lee"></head>';
    person.writes(
      'docs/web/page.html',
      `${head}<body>The keeper of the lighthouse wrote this in plain English.</body></html>`,
    );
    person.writes('docs/notes/log.txt', 'keeper of the log');
    for (let at = 0; at < 5; at += 1) person.writes(`docs/going/g${at}.txt`, `wicks number ${at}`);
    person.writes('docs/notes/~offer.txt', 'keeper');
    person.writes('docs/broken/a.pdf', '%PDF-1.7 nothing more');
    const settings = ['fs.delete_guard=3', 'rest.verify_rate=-1', 'fs.lang_detect=true'];
    service = await serve(person, ['./docs', ...settings.flatMap((each) => ['--set', each])]);
    await untilIdle(service.url);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await leave(service);
  });
  afterEach(async () => {
    await watched.context.close();
    expect(watched.faults).toEqual([]);
  });

  const show = async (address: string, ready: string): Promise<void> => {
    watched = await WatchedPage.open(browser, `${service.url}/ui/${address}`);
    ({ page } = watched);
    await page.waitForSelector(ready);
  };
  const keys = async (...all: readonly string[]): Promise<void> => {
    for (const key of all) await page.keyboard.press(key);
  };
  /** Goes on with Tab until something has the focus that is called so. */
  const goTo = async (name: string): Promise<void> => {
    const focused = `(() => { const one = document.activeElement; const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return [(one.closest('label')?.innerText || one.innerText || one.ariaLabel || one.type || '').trim(), one === document.body || outlineStyle !== 'none' && outlineWidth !== '0px']; })()`;
    for (let steps = 0; steps < 150; steps += 1) {
      await keys('Tab');
      const [called, isSeen] = await page.evaluate<[string, boolean]>(focused);
      expect([called, isSeen]).toEqual([called, true]);
      if (called.replace(/\s+/g, ' ').startsWith(name)) return;
    }
    throw new Error(`[${name}] cannot be reached.`);
  };
  const press = async (name: string, key = 'Enter'): Promise<void> => {
    await goTo(name);
    await keys(key);
  };

  describe('somebody who searches', () => {
    test('opens the best hit at its passage', async () => {
      await show('', '.hits .name');
      await page.keyboard.type('keeper lighthouse');
      await keys('Enter');
      await page.waitForSelector('.hits mark');
      await keys('ArrowDown', 'Enter');
      await page.waitForSelector('.text mark');
      expect(await watched.isInView('.text mark')).toBe(true);
    });

    test.each([
      ['Folder', '/web'],
      ['Type', 'Web page'],
      ['Changed', 'Since yesterday'],
      ['Size', ''],
      ['Author', 'Ann Lee'],
      ['Language', ''],
    ])('narrows by %s, and takes that back', async (facet, value) => {
      await show('?q=keeper', '.facet');
      const filter = page.locator('.facet', { has: page.locator('legend', { hasText: facet }) });
      const called = value === '' ? await filter.locator('.value').first().innerText() : value;
      await press(called.replace(/\s+/g, ' ').trim(), ' ');
      await page.waitForSelector('.chip');
      await press(facet);
      await page.waitForSelector('.chip', { state: 'detached' });
      expect(page.url()).toMatch(/\?q=keeper$/);
    });

    test('judges a hit in the list, and copies, downloads or opens it', async () => {
      await show('?q=keeper+type:web', '.hits .name');
      await keys('/', 'ArrowDown', ' ');
      await page.waitForSelector('.pane .text');
      await watched.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await keys('y');
      await page.getByText('Copied').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(service.person.path('docs/web/page.html'));
      const [download] = await Promise.all([page.waitForEvent('download'), keys('d')]);
      expect(download.suggestedFilename()).toBe('page.html');
    });

    test('learns why a file is not found', async () => {
      await show('?q=offer', '.nothing');
      await press('Why is a file not found?');
      await watched.expectSays('Why?', 'Left out by a rule.');
      expect(await page.inputValue('.why input')).toBe('offer');
    });
  });

  describe('an operator', () => {
    test('sees whether the index equals the tree without a key, and has it checked', async () => {
      await show('operator', 'section.card >> nth=3');
      await watched.expectSays('Index and tree', 'Never checked');
      await press('Check now');
      await watched.expectSays('Index and tree', 'Index equals tree');
    });

    test('looks at the failures of one reason, and has them tried again', async () => {
      await show('operator', '.card h2:text-is("Failures")');
      await press('corrupt 1');
      await watched.expectSays('Failures', 'a.pdf');
      service.person.writes('docs/broken/a.pdf', 'a text after all');
      await press('Retry these 1');
      await watched.expectSays('Failures', 'There are none of this reason any more.');
    });

    test('asks what the next scan would do', async () => {
      await show('operator', 'section.card >> nth=3');
      await press('What would it do?');
      await watched.expectSays('Next scan', /unchanged/);
    });

    test('looks at held deletions, and approves them', async () => {
      rmSync(service.person.path('docs/going'), { recursive: true });
      await scan(service.url);
      await show('operator', '.card h2:text-is("5 deletions wait for approval")');
      await press('Show them');
      await watched.expectSays(/^5 deletions/, service.person.path('docs/going/g4.txt'));
      await press('Approve…');
      await press('Cancel');
      await press('Approve…');
      await press('Remove 5 documents');
      await watched.card(/ deletions? wait/).waitFor({ state: 'detached' });
      expect((await untilIdle(service.url)).held_deletions).toBeNull();
    });

    test('adds documents, pauses, resumes, and scans now', async () => {
      await show('operator', 'section.card >> nth=3');
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press('Choose files')]);
      await chooser.setFiles([{ name: 'sent.txt', mimeType: 'text/plain', buffer: Buffer.from('sent by keys') }]);
      await page.getByText('1 of 1 file done').waitFor();
      await press('Pause');
      await page.locator('.head .state', { hasText: 'Paused' }).waitFor();
      await press('Resume');
      await watched.expectSays('Crawl', 'Crawler resumed.');
      const { scan_id: before } = await untilIdle(service.url);
      await page.getByRole('button', { name: 'Scan now' }).waitFor();
      await press('Scan now');
      expect((await untilIdle(service.url, before)).scan_id).not.toBe(before);
    });
  });
});
