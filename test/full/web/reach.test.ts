import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { PdfBuilder } from '../../support/pdf-builder.js';
import { Person } from '../../support/person.js';
import { freePort } from '../../support/program.js';
import { describeInBrowser, launchBrowser, WatchedPage } from '../../support/watched-page.js';
import { leave, serve, stop, untilIdle, type WebService } from '../../support/web-service.js';

/** How the pages are reached, by whom, and what happens to them when the service goes and comes. */
describeInBrowser('the pages of a service', () => {
  let service: WebService;
  let browser: Browser;
  let port: number;
  const servers: Server[] = [];
  const contexts: BrowserContext[] = [];

  const start = async (): Promise<void> => {
    const address = `http://127.0.0.1:${port}/crawler`;
    service = await serve(service.person, ['docs', '--set', 'rest.legacy=true'], address);
    await untilIdle(service.url);
  };

  beforeAll(async () => {
    const person = new Person();
    const pages = Array.from({ length: 3 }, (_, at) => ({ lines: [`Sheet ${at + 1} of the lighthouse keeper.`] }));
    person.writes('docs/letter.txt', 'The keeper wrote.');
    writeFileSync(person.path('docs/blank.pdf'), new PdfBuilder().build({ pages: pages.map(() => ({ lines: [] })) }));
    writeFileSync(person.path('docs/handbook.pdf'), new PdfBuilder().build({ pages }));
    person.writesJob('docs', `name: docs\nfs:\n  url: ${person.path('docs')}\n`);
    port = await freePort();
    service = { person } as WebService;
    await start();
    browser = await launchBrowser();
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  afterAll(async () => {
    await browser.close();
    await leave(service);
  });

  const listen = async (server: Server): Promise<string> => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const open = async (address: string, within = browser): Promise<WatchedPage> => {
    const watched = await WatchedPage.open(within, address);
    contexts.push(watched.context);
    return watched;
  };
  const newPage = async (): Promise<Page> => {
    const context = await browser.newContext();
    contexts.push(context);
    return await context.newPage();
  };
  /** Finds something, looks at the other page, and comes back. */
  const expectWorks = async ({ page, faults }: WatchedPage): Promise<void> => {
    await page.getByRole('searchbox').fill('keeper');
    await page.keyboard.press('Enter');
    await page.locator('.hits mark').first().waitFor();
    await page.getByRole('link', { name: 'Operator' }).click();
    await page.getByRole('button', { name: 'Scan now' }).waitFor();
    await page.getByRole('link', { name: 'Search' }).click();
    await page.locator('.hits .name').first().waitFor();
    expect(faults).toEqual([]);
  };

  test.each(['crawler', 'crawler/', 'fscrawler'])('work below %s', async (path) => {
    const watched = await open(`http://127.0.0.1:${port}/${path}`);
    expect(watched.page.url()).toBe(`http://127.0.0.1:${port}/${path.replace('/', '')}/ui/`);
    await expectWorks(watched);
  });

  test('work behind a proxy that serves them below another path', async () => {
    const proxy = await listen(
      createServer((asked, answer) => {
        const path = (asked.url ?? '').replace(/^\/a\/b/, '/crawler');
        const passed = httpRequest({ port, path, method: asked.method, headers: asked.headers }, (response) => {
          answer.writeHead(response.statusCode ?? 0, response.headers);
          response.pipe(answer);
        });
        asked.pipe(passed);
      }),
    );
    const watched = await open(`${proxy}/a/b/`);
    expect(watched.page.url()).toBe(`${proxy}/a/b/ui/`);
    await expectWorks(watched);
  });

  describe('in a browser that shows PDF files', () => {
    let whole: Browser;
    beforeAll(async () => {
      whole = await launchBrowser({ showsPdf: true });
    });
    afterAll(() => whole.close());

    test('a PDF is opened by the viewer of the browser', async () => {
      const { page, context } = await open(`${service.url}/ui/?q=lighthouse`, whole);
      await page.click('.hits .name');
      await page.getByRole('button', { name: 'p. 2 (1)' }).click();
      const [viewer] = await Promise.all([
        context.waitForEvent('page'),
        page.getByRole('link', { name: 'Open the file' }).click(),
      ]);
      await viewer.waitForLoadState();
      expect(await viewer.evaluate('document.contentType')).toBe('application/pdf');
      // The viewer says how many pages it has read, and is at the one that was asked for.
      const frame = await hasRead(viewer, 3);
      expect(await frame.locator('#pageSelector').inputValue()).toBe('2');
      const empty = await context.newPage();
      await empty.goto(`${service.url}/ui/?q=name:blank`);
      await empty.click('.hits .name');
      await empty.goto(new URL((await empty.locator('a[data-key=o]').getAttribute('href')) ?? '', empty.url()).href);
      await hasRead(empty, 3);
      const canvas = await context.newPage();
      while ((await inkOf(viewer, canvas)) < 100) await delay(100);
      expect(await inkOf(empty, canvas)).toBe(0);
    });
  });

  test('another site may lead to them, and get nothing else of the service', async () => {
    const site = await listen(
      createServer((_, answer) => {
        answer.setHeader('content-type', 'text/html');
        answer.end(`<a href="${service.url}/ui/?q=keeper">look</a>
          <form method="post" action="${service.url}/_crawler/pause"><button>win</button></form>
          <img src="${service.url}/_document/x/original"><iframe src="${service.url}/ui/"></iframe>`);
      }),
    );
    const page = await newPage();
    // Another host name is another site, on the same machine.
    const other = site.replace('127.0.0.1', 'localhost');
    await page.goto(other);
    for (const path of ['_find?q=keeper', '_crawler/status', '_session', 'ui/']) {
      const read = `fetch('${service.url}/${path}').then((answer) => answer.text()).catch(() => 'refused')`;
      expect(await page.evaluate(read)).toBe('refused');
      const blind = `fetch('${service.url}/${path}', { mode: 'no-cors', method: 'POST' }).then(() => 'sent').catch(() => 'refused')`;
      expect(['sent', 'refused']).toContain(await page.evaluate(blind));
    }
    expect(await page.frames()[1]?.locator('.search').count()).toBe(0);
    await page.click('button');
    await page.waitForLoadState();
    expect(await page.innerText('body')).toContain('"ok":false');
    expect(await (await fetch(`${service.url}/_crawler/status`)).json()).toMatchObject({ paused_by: 'schedule' });
    await page.goto(other);
    await page.click('a');
    await page.locator('.hits mark').first().waitFor();
  });

  test('a seventh tab loads while six follow the crawl, and the service ends in time', async () => {
    const context = await browser.newContext();
    contexts.push(context);
    for (let at = 0; at < 7; at += 1) {
      const page = await context.newPage();
      await page.goto(`${service.url}/ui/operator`);
      await page.getByRole('button', { name: 'Scan now' }).waitFor();
    }
    expect(await stop(service)).toBe(0);
    await start();
  });

  test('a service that was killed is waited for while somebody types, and nothing is lost', async () => {
    const { page } = await open(`${service.url}/ui/?q=keeper`);
    await page.locator('.hits mark').first().waitFor();
    const field = page.getByRole('searchbox');
    await field.fill('light');
    service.crawler.child.kill('SIGKILL');
    await service.crawler.finished;
    await field.pressSequentially('house');
    await page.waitForSelector('.banner');
    expect(await page.locator('.hits .name').count()).toBe(2);
    await start();
    await page.waitForSelector('.banner', { state: 'detached' });
    await page.locator('.hits mark', { hasText: 'lighthouse' }).first().waitFor();
    expect(await field.inputValue()).toBe('lighthouse');
  });

  test('two services keep two sessions, and one without operators offers none', async () => {
    const [person, context] = [new Person(), await browser.newContext()];
    contexts.push(context);
    person.writes('docs/letter.txt', 'The keeper wrote.');
    const locked = ['./docs', '--set', 'rest.api_keys=one', '--set', 'rest.verify_rate=-1'];
    const one = await serve(person, locked);
    const second = new Person();
    second.writes('docs/letter.txt', 'The keeper wrote.');
    const two = await serve(second, ['./docs', '--set', 'rest.read_keys=two', '--set', 'rest.ui=search']);
    try {
      const pages = [];
      for (const [{ url }, key] of [[one, 'one'] as const, [two, 'two'] as const]) {
        const page = await context.newPage();
        await page.goto(`${url}/ui/?q=keeper`);
        await page.getByLabel('Key of the service').fill(key);
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'Sign out' }).waitFor();
        pages.push(page);
      }
      const [first, other] = pages;
      await first?.reload();
      await first?.getByRole('link', { name: 'Operator' }).waitFor();
      await other?.reload();
      await other?.getByRole('button', { name: 'Sign out' }).waitFor();
      expect(await other?.getByRole('link', { name: 'Operator' }).isVisible()).toBe(false);
      await other?.keyboard.press('g');
      expect((await context.request.get(`${two.url}/ui/operator`)).status()).toBe(404);
      expect(other?.url()).toBe(`${two.url}/ui/?q=keeper`);
    } finally {
      await Promise.all([leave(one), leave(two)]);
    }
  });
});

/** The viewer of the browser, once it has read so many pages. */
async function hasRead(page: Page, pages: number): Promise<Frame> {
  for (;;) {
    const frame = page.frames().find((each) => each.url().startsWith('chrome-extension:'));
    if (frame !== undefined) {
      await frame
        .locator('#pagelength')
        .filter({ hasText: String(pages) })
        .waitFor();
      return frame;
    }
    await delay(50);
  }
}

/** Black points on the right of a picture of the page, where the viewer shows paper. */
async function inkOf(page: Page, canvas: Page): Promise<number> {
  const shot = await page.screenshot({ clip: { x: 450, y: 100, width: 700, height: 600 } });
  return await canvas.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${shot.toString('base64')}'), (sign) => sign.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const drawn = new OffscreenCanvas(image.width, image.height).getContext('2d');
    drawn.drawImage(image, 0, 0);
    const { data } = drawn.getImageData(0, 0, image.width, image.height);
    let ink = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at] + data[at + 1] + data[at + 2] < 120) ink += 1;
    return ink; })()`);
}
