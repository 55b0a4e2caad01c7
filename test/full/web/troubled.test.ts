import { renameSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startEngineRest } from '../../rest/engine-harness.js';
import { Person } from '../../support/person.js';
import { answer, file, folder, multistatus, ScriptedWebdav } from '../../support/scripted-webdav.js';
import { ScriptedCrawler } from '../../support/scripted-crawler.js';
import { ScriptedMonitor } from '../../support/scripted-monitor.js';
import { describeInBrowser, launchBrowser, WatchedPage } from '../../support/watched-page.js';
import { leave, serve, untilIdle, type WebService } from '../../support/web-service.js';

/** The pages while something is wrong with the crawl: what it is stands there in words, and everybody can read it. */
describeInBrowser('the pages of a crawl in trouble', () => {
  let browser: Browser;
  const opened: WatchedPage[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  afterEach(() => expect(opened.splice(0).flatMap(({ faults }) => faults)).toEqual([]));

  const open = async (url: string, page: '' | 'operator'): Promise<WatchedPage> => {
    const watched = await WatchedPage.open(browser, `${url}/ui/${page}`);
    opened.push(watched);
    return watched;
  };
  /** The pages would ask a service that is gone. */
  const end = async (service: WebService): Promise<void> => {
    await Promise.all(opened.map(({ context }) => context.close()));
    await leave(service);
  };
  const header = ({ page }: WatchedPage, words: string): Promise<void> =>
    page.locator('.head .state', { hasText: words }).waitFor();

  test('a scan that failed says why, and can be begun again', async () => {
    const person = new Person();
    person.writes('docs/a.txt');
    const service = await serve(person, ['./docs', '--set', 'rest.verify_rate=-1']);
    try {
      await untilIdle(service.url);
      const [operator, search] = [await open(service.url, 'operator'), await open(service.url, '')];
      renameSync(person.path('docs'), person.path('away'));
      await operator.press('Crawl', 'Scan now');
      await header(operator, 'The last scan failed');
      await operator.expectSays('Crawl', person.path('docs'));
      // No file has failed, and yet nobody may be told that all is well.
      await operator.expectSays('Failures', 'the last scan did not reach its end');
      expect(await operator.violations()).toEqual([]);
      await operator.keep('operator-error');
      await search.page.reload();
      await header(search, 'The last scan failed');
      expect(await search.violations()).toEqual([]);
      renameSync(person.path('away'), person.path('docs'));
      await operator.press('Crawl', 'Scan now');
      await header(operator, 'Waiting for the next scan');
    } finally {
      await end(service);
    }
  });

  test('a source that does not answer is waited for, and the page says so', async () => {
    let isAway = false;
    const share = await ScriptedWebdav.start((request, response) => {
      const listed = multistatus(folder('/dav/'), file('/dav/a.txt'));
      const asked = request.method === 'PROPFIND' ? listed : answer(200, {}, 'text');
      (isAway ? answer(503, {}, 'away') : asked)(request, response);
    });
    const person = new Person();
    const webdav = `  provider: webdav\n  webdav:\n    endpoint: ${share.url}`;
    person.writesJob('share', `name: share\nfs:\n  url: /\n${webdav}\nrest:\n  verify_rate: -1\n`);
    const service = await serve(person, ['share']);
    try {
      await untilIdle(service.url);
      isAway = true;
      const operator = await open(service.url, 'operator');
      await operator.press('Crawl', 'Scan now');
      await operator.expectSays('Crawl', '503');
      await header(operator, 'Scanning · waiting to try again');
      expect(await operator.violations()).toEqual([]);
      await operator.keep('operator-backing-off');
      isAway = false;
      await header(operator, 'Waiting for the next scan');
    } finally {
      await end(service);
      await share.stop();
    }
  });

  test('a scan that does not move says so in the header, and the engine is not blamed for it', async () => {
    const [crawler, monitor] = [new ScriptedCrawler({ state: 'RUNNING', scanId: 'x' }), new ScriptedMonitor()];
    monitor.condition = { engine: 'up', stuck: true };
    const api = await startEngineRest({ crawler, monitor });
    const operator = await open(api.rest.url, 'operator');
    await header(operator, 'Scanning · nothing moves');
    await operator.expectSays('Crawl', 'has not moved for minutes');
    await operator.expectSays('Engine', 'answers.');
    expect(await operator.violations()).toEqual([]);
    await operator.keep('operator-stuck');
    await operator.context.close();
    await api.close();
  });
});
