import { mkdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { Person } from '../../support/person.js';
import { answer, file, folder, multistatus, ScriptedWebdav } from '../../support/scripted-webdav.js';
import { SlowPictures } from '../../support/slow-pictures.js';
import { describeInBrowser, launchBrowser, WatchedPage } from '../../support/watched-page.js';
import { leave, serve, untilIdle } from '../../support/web-service.js';

/** The operator's page of jobs in other states than a finished crawl, in a real browser against the real program. */
describeInBrowser("the operator's page of a job", () => {
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

  test('follows a crawl, pauses it and lets it resume', async () => {
    const person = new Person();
    mkdirSync(person.path('docs'));
    mkdirSync(person.path('bin'));
    const names = Array.from({ length: 12 }, (_, at) => `p${at}.png`);
    // The crawl waits for the page, however slow the machine is.
    const deed = 'until [ -e "${0%/*}/go" ]; do sleep 0.1; done; sleep 1; echo words';
    const pictures = await SlowPictures.make(person.path('docs'), person.path('bin'), names, deed);
    const service = await serve(person, ['./docs', ...pictures.settings]);
    try {
      await show(service.url);
      const { page } = watched;
      await watched.expectSays('Crawl', 'Scanning');
      await watched.expectSays('Crawl', 'In hand');
      await watched.expectSays('Crawl', /\d of 12 files/);
      await watched.expectSays('Index and tree', 'Never checked');
      await watched.keep('operator-scanning');
      expect(await watched.violations()).toEqual([]);
      await watched.press('Crawl', 'Pause');
      person.writes('bin/go', '');
      await watched.expectSays('Crawl', 'Crawler paused. Checkpoint saved.');
      expect(await watched.violations()).toEqual([]);
      await watched.keep('operator-paused');
      expect(await page.locator('.head .state').innerText()).toContain('Paused');
      await watched.press('Crawl', 'Resume');
      await watched.expectSays('Crawl', 'Crawler resumed.');
      await watched.expectSays('Documents', /12\s*indexed/);
      await page.waitForSelector('polyline');
    } finally {
      // The page would ask a service that is gone.
      await watched.context.close();
      await leave(service);
    }
  });

  test('a check and a plan show how far they are, can be stopped, and what they found is there after a reload', async () => {
    // A share whose second folder is silent as long as it is held.
    let isHeld = false;
    const waiting: (() => void)[] = [];
    const share = await ScriptedWebdav.start((request, response) => {
      const { method = '', url = '' } = request;
      if (method !== 'PROPFIND') return answer(200, {}, 'text')(request, response);
      const listed = url.includes('slow')
        ? multistatus(folder('/dav/slow/'), file('/dav/slow/b.txt'))
        : multistatus(folder('/dav/'), folder('/dav/slow/'), file('/dav/a.txt'));
      if (isHeld && url.includes('slow')) waiting.push(() => listed(request, response));
      else listed(request, response);
    });
    const person = new Person();
    person.writesJob(
      'share',
      `name: share\nfs:\n  url: /\n  provider: webdav\n  webdav:\n    endpoint: ${share.url}\nrest:\n  verify_rate: -1\n`,
    );
    const service = await serve(person, ['share']);
    try {
      await untilIdle(service.url);
      await show(service.url);
      for (const [card, start, seen, found] of [
        ['Index and tree', 'Check now', /files? of the tree/, 'Index equals tree'],
        ['Next scan', 'What would it do?', /files? seen so far/, '2 unchanged'],
      ] as const) {
        isHeld = true;
        await watched.press(card, start);
        await watched.expectSays(card, seen);
        await watched.press(card, 'Stop');
        await watched.card(card).getByRole('button', { name: start }).waitFor();
        isHeld = false;
        for (const release of waiting.splice(0)) release();
        await watched.press(card, start);
        await watched.expectSays(card, found);
        await watched.page.reload();
        await watched.expectSays(card, found);
      }
    } finally {
      // The page would ask a service that is gone.
      await watched.context.close();
      await leave(service);
      await share.stop();
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
      await watched.expectSays('Crawl', 'This service does not crawl');
      await watched.expectSays('Failures', 'Job [far] has not been run yet');
      await watched.press('Next scan', 'What would it do?');
      await watched.press('Next scan', 'Stop');
      await watched.card('Next scan').getByRole('button', { name: 'What would it do?' }).waitFor();
      await watched.press('Index and tree', 'Check now');
      await watched.expectSays('Index and tree', 'The last check did not come to its end:');
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
      await watched.expectSays('Index and tree', 'it takes documents over HTTP only');
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
      await watched.press('Index and tree', 'Check now');
      await watched.expectSays('Index and tree', 'Index differs from tree');
      await watched.page.getByText('1 difference by name').click();
      await watched.expectSays('Index and tree', person.path('docs/stray.txt'));
      expect(await watched.violations()).toEqual([]);
      await watched.keep('operator-differs');
    } finally {
      // The page would ask a service that is gone.
      await watched.context.close();
      await leave(settled);
    }
  });
});
