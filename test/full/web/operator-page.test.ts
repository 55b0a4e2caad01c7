import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { Person } from '../../support/person.js';
import { describeInBrowser, launchBrowser, WatchedPage } from '../../support/watched-page.js';
import { leave, scan, serve, untilIdle, type WebService } from '../../support/web-service.js';

/** The operator's page in a real browser, against the real program. */
describeInBrowser("the operator's page", () => {
  let browser: Browser;
  let watched: WatchedPage;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await watched.context.close();
    expect(watched.faults).toEqual([]);
  });
  const show = async (url: string): Promise<void> => {
    watched = await WatchedPage.open(browser, `${url}/ui/operator`);
    await watched.page.waitForSelector('section.card >> nth=3');
  };
  describe('of a job that was crawled', () => {
    let service: WebService;
    let url: string;
    beforeAll(async () => {
      const person = new Person();
      for (let at = 0; at < 12; at += 1) person.writes(`docs/kept/report ${at}.txt`, `harbour number ${at}`);
      for (let at = 0; at < 5; at += 1) person.writes(`docs/going/g${at}.txt`, `wicks number ${at}`);
      person.writes('docs/drafts/offer.txt');
      for (const name of ['a.pdf', 'b.pdf', '<img src=x onerror=alert(1)>.pdf', 'gpj.\u202ecod.pdf'])
        person.writes(`docs/broken/${name}`, '%PDF-1.7 nothing more');
      person.writesJob(
        'docs',
        [
          'name: docs',
          'fs:',
          `  url: ${person.path('docs')}`,
          '  update_rate: 1h',
          '  delete_guard: 3',
          '  excludes:',
          '    - "*/drafts/*"',
          'rest:',
          '  max_upload_size: 1mb',
          '  verify_rate: -1',
        ].join('\n'),
      );
      service = await serve(person, ['docs']);
      ({ url } = service);
      await untilIdle(url);
    });
    afterAll(() => leave(service));
    beforeEach(() => show(url));

    test('says whether the index can be trusted, on both pages, and only after a check', async () => {
      const { page } = watched;
      await watched.expectSays('Index and tree', 'Never checked');
      await watched.keep('operator-idle');
      await watched.press('Index and tree', 'Check now');
      await watched.expectSays('Index and tree', 'Index equals tree');
      expect(await watched.card('Index and tree').innerText()).toMatch(
        /21 files\. \(checked (?:just now|less than a minute ago|\d+ minutes? ago)\)/,
      );
      await page.reload();
      await watched.expectSays('Index and tree', 'Index equals tree');
      await page.getByRole('link', { name: 'Search' }).click();
      await page.waitForSelector('.truth.equal');
      expect(await page.locator('.head .state').innerText()).toContain('✔ in sync, checked ');
      await page.getByRole('link', { name: 'Operator' }).click();
      await watched.expectSays('Index and tree', 'Index equals tree');
      expect(await page.title()).toBe('docs – Operator');
    });

    test('says why a file is not found: rule and line, several of one name, outside of the job', async () => {
      const { page } = watched;
      const ask = async (text: string): Promise<void> => {
        await page.getByLabel('Path or name of a file').fill(text);
        await page.keyboard.press('Enter');
      };
      await ask('drafts/offer.txt');
      await watched.expectSays('Why?', '_settings.yaml:7');
      expect(await watched.card('Why?').innerText()).toMatch(
        /Left out by a rule\.[\s\S]*\*\/drafts\/\*[\s\S]*fs\.excludes/,
      );
      await ask('report 1');
      await watched.expectSays('Why?', 'Which file?');
      expect(await watched.card('Why?').locator('.paths button').count()).toBe(3);
      await watched.card('Why?').locator('.paths button').last().click();
      await watched.expectSays('Why?', 'In the index.');
      await ask('/etc/passwd');
      await watched.expectSays('Why?', 'Not part of the job.');
      await ask('nothing-of-this-name');
      await watched.expectSays('Why?', 'Not there.');
    });

    test('shows failures by reason as the text that they are, and those that were tried again vanish', async () => {
      await watched.expectSays('Failures', 'corrupt 4');
      const text = await watched.card('Failures').innerText();
      expect(text).toContain('<img src=x onerror=alert(1)>.pdf');
      expect(text).toContain('gpj.U+202Ecod.pdf');
      expect(await watched.page.locator('main img, main script').count()).toBe(0);
      expect(await watched.violations()).toEqual([]);
      await watched.keep('operator-failures');
      for (const name of ['a.pdf', 'b.pdf', '<img src=x onerror=alert(1)>.pdf', 'gpj.\u202ecod.pdf'])
        service.person.writes(`docs/broken/${name}`, 'a text after all');
      await watched.card('Failures').getByRole('button', { name: 'corrupt 4' }).click();
      await watched.press('Failures', 'Retry these 4');
      await watched.expectSays('Failures', 'A scan begins now and tries them.');
      await watched.expectSays('Failures', 'There are none of this reason any more.');
      await watched.expectSays('Documents', /21\s*indexed/);
    });

    test('says what the next scan would do', async () => {
      service.person.writes('docs/kept/new.txt');
      await watched.press('Next scan', 'What would it do?');
      await watched.expectSays('Next scan', /1 new/);
      await watched.expectSays('Next scan', '1 file (');
      await watched.page.reload();
      await watched.expectSays('Next scan', /1 new/);
      await watched.press('Crawl', 'Scan now');
      await watched.expectSays('Documents', /22\s*indexed/);
      await watched.expectSays('Index and tree', 'Not certain at the moment');
      await watched.page.locator('.head .truth.pending').waitFor();
    });

    test('lists held deletions, and removes exactly what a person has seen', async () => {
      rmSync(service.person.path('docs/going'), { recursive: true });
      await scan(url);
      await watched.expectSays('5 deletions wait for approval', 'more than the 3 that fs.delete_guard lets through');
      await watched.expectSays('Index and tree', '5 deletions wait for approval.');
      await watched.press(/^5 deletions/, 'Show them');
      await watched.expectSays(/^5 deletions/, service.person.path('docs/going/g4.txt'));
      await watched.press(/^5 deletions/, 'Approve…');
      expect(await watched.violations()).toEqual([]);
      await watched.keep('operator-held');
      rmSync(service.person.path('docs/kept/report 0.txt'));
      await scan(url);
      await watched.press(/ deletions? wait/, 'Remove 5 documents');
      await watched.expectSays(/ deletions? wait/, '6 documents are held by now: nothing was approved.');
      await watched.press(/^6 deletions/, 'Approve…');
      await watched.press(/^6 deletions/, 'Remove 6 documents');
      await watched.card(/ deletions? wait/).waitFor({ state: 'detached' });
      await watched.expectSays('Documents', /16\s*indexed/);
    });

    test('a service that is away is waited for; what was shown stays, and no button can be pressed', async () => {
      const { page, context } = watched;
      await watched.expectSays('Documents', 'indexed');
      await context.setOffline(true);
      await page.waitForSelector('.banner');
      expect(await page.getByRole('button', { name: 'Check now' }).isDisabled()).toBe(true);
      expect(await watched.card('Documents').innerText()).toContain('indexed');
      expect(await watched.violations()).toEqual([]);
      await watched.keep('operator-away');
      await context.setOffline(false);
      await page.waitForSelector('.banner', { state: 'detached' });
      expect(await page.getByRole('button', { name: 'Check now' }).isEnabled()).toBe(true);
      watched.expects('ERR_INTERNET_DISCONNECTED');
    });

    test('everything can be reached with the keyboard', async () => {
      const { page } = watched;
      const reached = new Set<string>();
      for (let at = 0; at < 40; at += 1) {
        await page.keyboard.press('Tab');
        reached.add(
          await page.evaluate<string>('document.activeElement.innerText || document.activeElement.type || ""'),
        );
      }
      for (const name of [
        'Search',
        'Check now',
        'Scan now',
        'Pause',
        'What would it do?',
        'Choose files',
        'Ask',
        'search',
      ])
        expect([...reached]).toContain(name);
    });

    test('can be used by everybody', async () => {
      const { page } = watched;
      await watched.expectSays('Crawl', 'in the last 30 minutes');
      for (const summary of await page.locator('summary').all()) await summary.click();
      expect(await watched.violations()).toEqual([]);
      await watched.keep('operator-open-light');
      await page.emulateMedia({ colorScheme: 'dark' });
      await watched.keep('operator-open-dark');
    });

    test.each([
      [360, 640],
      [320, 256],
      [800, 600],
      [2560, 1440],
    ])('fits into %d × %d', async (width, height) => {
      await watched.page.setViewportSize({ width, height });
      await watched.expectSays('Crawl', 'in the last 30 minutes');
      for (const summary of await watched.page.locator('summary').all()) await summary.click();
      expect(await watched.isWide()).toBe(false);
      await watched.keep(`operator-${width}`);
    });
  });
});
