import { mkdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { Person } from '../../support/person.js';
import { SlowPictures } from '../../support/slow-pictures.js';
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
  const press = (card: string | RegExp, name: string): Promise<void> =>
    watched.card(card).getByRole('button', { name }).click();
  const expectSays = (card: string | RegExp, text: string | RegExp): Promise<void> =>
    watched.card(card).filter({ hasText: text }).first().waitFor();

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
      await expectSays('Index and tree', 'Never checked');
      await watched.keep('operator-idle');
      await press('Index and tree', 'Check now');
      await expectSays('Index and tree', 'Index equals tree');
      expect(await watched.card('Index and tree').innerText()).toContain('21 files. (checked just now)');
      await page.reload();
      await expectSays('Index and tree', 'Index equals tree');
      await page.getByRole('link', { name: 'Search' }).click();
      await page.waitForSelector('.truth.equal');
      expect(await page.locator('.head .state').innerText()).toContain('✔ in sync, checked just now');
      await page.getByRole('link', { name: 'Operator' }).click();
      await expectSays('Index and tree', 'Index equals tree');
      expect(await page.title()).toBe('docs – Operator');
    });

    test('says why a file is not found: rule and line, several of one name, outside of the job', async () => {
      const { page } = watched;
      const ask = async (text: string): Promise<void> => {
        await page.getByLabel('Path or name of a file').fill(text);
        await page.keyboard.press('Enter');
      };
      await ask('drafts/offer.txt');
      await expectSays('Why?', '_settings.yaml:7');
      expect(await watched.card('Why?').innerText()).toMatch(
        /Left out by a rule\.[\s\S]*\*\/drafts\/\*[\s\S]*fs\.excludes/,
      );
      await ask('report 1');
      await expectSays('Why?', 'Which file?');
      expect(await watched.card('Why?').locator('.paths button').count()).toBe(3);
      await watched.card('Why?').locator('.paths button').last().click();
      await expectSays('Why?', 'In the index.');
      await ask('/etc/passwd');
      await expectSays('Why?', 'Not part of the job.');
      await ask('nothing-of-this-name');
      await expectSays('Why?', 'Not there.');
    });

    test('shows failures by reason as the text that they are, and those that were tried again vanish', async () => {
      await expectSays('Failures', 'corrupt 4');
      const text = await watched.card('Failures').innerText();
      expect(text).toContain('<img src=x onerror=alert(1)>.pdf');
      expect(text).toContain('gpj.U+202Ecod.pdf');
      expect(await watched.page.locator('main img, main script').count()).toBe(0);
      await watched.keep('operator-failures');
      for (const name of ['a.pdf', 'b.pdf', '<img src=x onerror=alert(1)>.pdf', 'gpj.\u202ecod.pdf'])
        service.person.writes(`docs/broken/${name}`, 'a text after all');
      await watched.card('Failures').getByRole('button', { name: 'corrupt 4' }).click();
      await press('Failures', 'Retry these 4');
      await expectSays('Failures', 'A scan begins now and tries them.');
      await expectSays('Failures', 'There are none of this reason any more.');
      await expectSays('Documents', /21\s*indexed/);
    });

    test('says what the next scan would do', async () => {
      service.person.writes('docs/kept/new.txt');
      await press('Next scan', 'What would it do?');
      await expectSays('Next scan', /1 new/);
      await expectSays('Next scan', '1 file (');
      await watched.page.reload();
      await expectSays('Next scan', /1 new/);
      await press('Crawl', 'Scan now');
      await expectSays('Documents', /22\s*indexed/);
    });

    test('lists held deletions, and removes exactly what a person has seen', async () => {
      rmSync(service.person.path('docs/going'), { recursive: true });
      await scan(url);
      await expectSays('5 deletions wait for approval', 'more than the 3 that fs.delete_guard lets through');
      await expectSays('Index and tree', '5 deletions wait for approval.');
      await press(/^5 deletions/, 'Show them');
      await expectSays(/^5 deletions/, service.person.path('docs/going/g4.txt'));
      await press(/^5 deletions/, 'Approve…');
      await watched.keep('operator-held');
      rmSync(service.person.path('docs/kept/report 0.txt'));
      await scan(url);
      await press(/ deletions? wait/, 'Remove 5 documents');
      await expectSays(/ deletions? wait/, '6 documents are held by now: nothing was approved.');
      await press(/^6 deletions/, 'Approve…');
      await press(/^6 deletions/, 'Remove 6 documents');
      await watched.card(/ deletions? wait/).waitFor({ state: 'detached' });
      await expectSays('Documents', /16\s*indexed/);
    });

    test('takes files, and says of each what became of it', async () => {
      const { page } = watched;
      const file = (name: string, text: string | Buffer): { name: string; mimeType: string; buffer: Buffer } => {
        return { name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) };
      };
      const line = (name: string): ReturnType<typeof page.locator> => page.locator('.uploads li', { hasText: name });
      await page.setInputFiles('input[type=file]', [
        file('good.txt', 'lighthouse'),
        file('broken.pdf', '%PDF-1.7 nothing more'),
        file('large.txt', Buffer.alloc(2_000_000, 'x')),
        file('<b>bold</b>.txt', 'a name'),
      ]);
      await line('good.txt').and(page.locator('.indexed')).waitFor();
      await line('<b>bold</b>.txt').and(page.locator('.indexed')).waitFor();
      await line('large.txt').and(page.locator('.failed')).waitFor();
      await page.getByText('4 of 4 files done').waitFor();
      expect(await line('broken.pdf').innerText()).toMatch(/failed:|indexed, but:/);
      await page.setInputFiles('input[type=file]', [file('good.txt', 'keeper')]);
      await page.getByRole('button', { name: 'Replace it' }).waitFor();
      await watched.keep('operator-uploads');
      await page.getByRole('button', { name: 'Skip' }).click();
      await page.locator('.uploads .cancelled').waitFor();
      await page.evaluate(
        `(() => { const data = new DataTransfer(); data.items.add(new File(['dropped words'], 'dropped.txt'));
          document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true })); })()`,
      );
      await line('dropped.txt').and(page.locator('.indexed')).waitFor();
      await page.getByRole('button', { name: 'Clear the list' }).click();
      expect(await page.locator('.uploads').count()).toBe(0);
    });

    test('takes a folder that is dropped, with all that is in it', async () => {
      const { page, context } = watched;
      const { person } = service;
      for (const name of ['one.txt', 'inner/two.txt', 'inner/deep/three.txt']) person.writes(`dropped/${name}`, name);
      person.writes('loose.bin', 'of no known format \u0000\u0001');
      const { x = 0, y = 0 } = (await page.locator('.drop').boundingBox()) ?? {};
      const session = await context.newCDPSession(page);
      const data = { items: [], files: [person.path('dropped'), person.path('loose.bin')], dragOperationsMask: 1 };
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
        await session.send('Input.dispatchDragEvent', { type, x: x + 5, y: y + 5, data });
      await page.getByText('4 of 4 files done').waitFor();
      const lines = (await page.locator('.uploads li').allInnerTexts()).map((line) => line.replace(/\s+/g, ' ').trim());
      expect(lines.sort()).toEqual([
        expect.stringMatching(/^loose\.bin .*indexed/),
        'one.txt ✔ indexed',
        'three.txt ✔ indexed',
        'two.txt ✔ indexed',
      ]);
    });

    test('an upload that is cut off says so', async () => {
      const { page } = watched;
      await page.route('**/_document', (route) => route.abort('connectionreset'));
      await page.setInputFiles('input[type=file]', [
        { name: 'cut.txt', mimeType: 'text/plain', buffer: Buffer.from('never arrives') },
      ]);
      await page.locator('.uploads .failed', { hasText: 'The connection was cut.' }).waitFor();
      expect(await page.getByText('1 of 1 file done').count()).toBe(1);
      watched.faults = watched.faults.filter((fault) => !fault.includes('ERR_CONNECTION_RESET'));
    });

    test('an upload of many files can be cancelled, and each has its line', async () => {
      const { page } = watched;
      const files = Array.from({ length: 200 }, (_, at) => {
        return { name: `m${at}.txt`, mimeType: 'text/plain', buffer: Buffer.from(`number ${at}`) };
      });
      await page.setInputFiles('input[type=file]', files);
      await page.getByRole('button', { name: 'Cancel what is left' }).click();
      await page.getByText('200 of 200 files done').waitFor();
      expect(await page.locator('.uploads li').count()).toBe(200);
      expect(await page.locator('.uploads .cancelled').count()).toBeGreaterThan(0);
    });

    test('a service that is away is waited for; what was shown stays, and no button can be pressed', async () => {
      const { page, context } = watched;
      await expectSays('Documents', 'indexed');
      await context.setOffline(true);
      await page.waitForSelector('.banner');
      expect(await page.getByRole('button', { name: 'Check now' }).isDisabled()).toBe(true);
      expect(await watched.card('Documents').innerText()).toContain('indexed');
      await watched.keep('operator-away');
      await context.setOffline(false);
      await page.waitForSelector('.banner', { state: 'detached' });
      expect(await page.getByRole('button', { name: 'Check now' }).isEnabled()).toBe(true);
      watched.faults = watched.faults.filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED'));
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

    test.each(['light', 'dark'] as const)('can be used by everybody (%s)', async (scheme) => {
      const { page } = watched;
      await page.emulateMedia({ colorScheme: scheme });
      await expectSays('Crawl', 'in the last 30 minutes');
      for (const summary of await page.locator('summary').all()) await summary.click();
      expect(await watched.violations()).toEqual([]);
      await watched.keep(`operator-open-${scheme}`);
    });

    test.each([
      [360, 640],
      [320, 256],
      [800, 600],
      [2560, 1440],
    ])('fits into %d × %d', async (width, height) => {
      await watched.page.setViewportSize({ width, height });
      await expectSays('Crawl', 'in the last 30 minutes');
      for (const summary of await watched.page.locator('summary').all()) await summary.click();
      expect(await watched.isWide()).toBe(false);
      await watched.keep(`operator-${width}`);
    });
  });

  test('follows a crawl, pauses it and lets it resume', async () => {
    const person = new Person();
    mkdirSync(person.path('docs'));
    mkdirSync(person.path('bin'));
    const names = Array.from({ length: 12 }, (_, at) => `p${at}.png`);
    const pictures = await SlowPictures.make(person.path('docs'), person.path('bin'), names, 'sleep 1; echo words');
    const service = await serve(person, ['./docs', ...pictures.settings]);
    try {
      await show(service.url);
      const { page } = watched;
      await expectSays('Crawl', 'Scanning');
      await expectSays('Crawl', 'In hand');
      await expectSays('Crawl', /\d of 12 files/);
      await expectSays('Index and tree', 'Never checked');
      await watched.keep('operator-scanning');
      expect(await watched.violations()).toEqual([]);
      await press('Crawl', 'Pause');
      await expectSays('Crawl', 'Crawler paused. Checkpoint saved.');
      expect(await page.locator('.head .state').innerText()).toContain('Paused');
      await press('Crawl', 'Resume');
      await expectSays('Crawl', 'Crawler resumed.');
      await expectSays('Documents', /12\s*indexed/);
      await page.waitForSelector('polyline');
    } finally {
      // The page would ask a service that is gone.
      await watched.context.close();
      await leave(service);
    }
  });

  test('without a crawl says so, and a plan that takes long can be stopped', async () => {
    // A server that accepts connections, and never says a word.
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const person = new Person();
    const { port } = silent.address() as AddressInfo;
    person.writesJob(
      'far',
      `name: far\nfs:\n  url: /docs\n  provider: ftp\nserver:\n  hostname: 127.0.0.1\n  port: ${port}\n  username: x\n`,
    );
    const service = await serve(person, ['far', '--loop', '0']);
    try {
      await show(service.url);
      await expectSays('Crawl', 'This service does not crawl');
      await expectSays('Failures', 'Job [far] has not been run yet');
      await press('Next scan', 'What would it do?');
      await press('Next scan', 'Stop');
      await watched.card('Next scan').getByRole('button', { name: 'What would it do?' }).waitFor();
      await press('Index and tree', 'Check now');
      await expectSays('Index and tree', 'The last check did not come to its end:');
      expect(await watched.violations()).toEqual([]);
      await watched.keep('operator-no-crawl');
    } finally {
      // The page would ask a service that is gone.
      await watched.context.close();
      await leave(service);
      silent.close();
    }
  });

  test('of a job that takes documents only offers what there is', async () => {
    const person = new Person();
    const service = await serve(person, ['uploads', '--loop', '0', '--set', 'fs.url=']);
    try {
      await show(service.url);
      await expectSays('Index and tree', 'it takes documents over HTTP only');
      expect(await watched.page.locator('h2:visible').allInnerTexts()).toEqual([
        'Index and tree',
        'Crawl',
        'Add documents',
        'Engine',
      ]);
    } finally {
      // The page would ask a service that is gone.
      await watched.context.close();
      await leave(service);
    }
  });

  test('names differences', async () => {
    const person = new Person();
    person.writes('docs/a.txt');
    const settled = await serve(person, ['./docs', '--set', 'rest.verify_rate=-1']);
    try {
      await untilIdle(settled.url);
      const form = new FormData();
      form.append('file', new Blob(['x']), 'stray.txt');
      form.append('tags', JSON.stringify({ path: { real: person.path('docs/stray.txt'), root: 'x' } }));
      expect(await (await fetch(`${settled.url}/_document`, { method: 'POST', body: form })).json()).toMatchObject({
        ok: true,
      });
      await show(settled.url);
      await press('Index and tree', 'Check now');
      await expectSays('Index and tree', 'Index differs from tree');
      await watched.page.getByText('1 difference by name').click();
      await expectSays('Index and tree', person.path('docs/stray.txt'));
      expect(await watched.violations()).toEqual([]);
      await watched.keep('operator-differs');
    } finally {
      // The page would ask a service that is gone.
      await watched.context.close();
      await leave(settled);
    }
  });
});
