import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { encryptPdf } from '../../support/encrypt-pdf.js';
import { PdfBuilder } from '../../support/pdf-builder.js';
import { Person } from '../../support/person.js';
import { describeInBrowser, launchBrowser, WatchedPage } from '../../support/watched-page.js';
import { leave, serve, type WebService } from '../../support/web-service.js';

/** Where an element is, once what is loaded above it no longer moves it. */
async function restingPlace(element: Locator): Promise<{ readonly x: number; readonly y: number }> {
  for (let before = await element.boundingBox(); ;) {
    await element.page().waitForTimeout(500);
    const now = await element.boundingBox();
    if (now !== null && now.x === before?.x && now.y === before.y) return now;
    before = now;
  }
}

/** What the operator's page says of the documents that it takes, in a real browser against the real program. */
describeInBrowser("uploads on the operator's page", () => {
  let browser: Browser;
  let watched: WatchedPage;
  let service: WebService;
  beforeAll(async () => {
    browser = await launchBrowser();
    service = await serve(new Person(), ['uploads', '--loop', '0', '--set', 'rest.max_upload_size=1mb']);
  });
  afterAll(async () => {
    await browser.close();
    await leave(service);
  });
  beforeEach(async () => {
    watched = await WatchedPage.open(browser, `${service.url}/ui/operator`);
    await watched.page.waitForSelector('.drop');
  });
  afterEach(async () => {
    await watched.context.close();
    expect(watched.faults).toEqual([]);
  });

  test('takes files, and says of each what became of it', async () => {
    const { page } = watched;
    const sent = (name: string, text: string | Buffer): { name: string; mimeType: string; buffer: Buffer } => {
      return { name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) };
    };
    const line = (name: string): ReturnType<typeof page.locator> => page.locator('.uploads li', { hasText: name });
    await page.setInputFiles('input[type=file]', [
      sent('good.txt', 'lighthouse'),
      sent('broken.pdf', '%PDF-1.7 nothing more'),
      sent('large.txt', Buffer.alloc(2_000_000, 'x')),
      sent('<b>bold</b>.txt', 'a name'),
      sent('locked.pdf', await encryptPdf(new PdfBuilder().build({ pages: [{ lines: ['secret'] }] }), 'password')),
    ]);
    await line('good.txt').and(page.locator('.indexed')).waitFor();
    await line('<b>bold</b>.txt').and(page.locator('.indexed')).waitFor();
    await line('large.txt').and(page.locator('.failed')).waitFor();
    await page.getByText('5 of 5 files done').waitFor();
    expect(await line('broken.pdf').innerText()).toContain('indexed, but: The PDF is damaged');
    expect(await line('locked.pdf').innerText()).toMatch(/indexed, but: .*password/);
    await page.setInputFiles('input[type=file]', [sent('good.txt', 'keeper')]);
    await page.getByRole('button', { name: 'Replace it' }).waitFor();
    expect(await watched.violations()).toEqual([]);
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
    const { x, y } = await restingPlace(page.locator('.drop'));
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
    watched.expects('ERR_CONNECTION_RESET');
  });

  test('an upload of many files can be cancelled, and each has its line', async () => {
    const { page } = watched;
    const files = Array.from({ length: 500 }, (_, at) => {
      return { name: `m${at}.txt`, mimeType: 'text/plain', buffer: Buffer.from(`number ${at}`) };
    });
    const [underWay, most] = [new Set<unknown>(), { count: 0 }];
    page.on('request', (request) => {
      if (request.url().endsWith('/_document')) underWay.add(request);
      most.count = Math.max(most.count, underWay.size);
    });
    page.on('requestfinished', (request) => underWay.delete(request));
    page.on('requestfailed', (request) => underWay.delete(request));
    await page.setInputFiles('input[type=file]', files);
    await page.locator('.uploads .indexed').nth(5).waitFor();
    await page.getByRole('button', { name: 'Cancel what is left' }).click();
    await page.getByText('500 of 500 files done').waitFor();
    expect(await page.locator('.uploads li').count()).toBe(500);
    expect(most.count).toBe(3);
    expect(await page.locator('.uploads .cancelled').count()).toBeGreaterThan(0);
  });
});
