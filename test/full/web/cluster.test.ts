import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser, Page } from 'playwright-core';
import { callTool, clientOf, eras } from '../../mcp/mcp-harness.js';
import { PdfBuilder } from '../../support/pdf-builder.js';
import { Person } from '../../support/person.js';
import { ask, describeOwnEngine } from '../../support/real-engines.js';
import { describeInBrowser, launchBrowser, WatchedPage } from '../../support/watched-page.js';
import { leave, serve, untilIdle, type WebService } from '../../support/web-service.js';
import { writeFileSync } from 'node:fs';

/** The pages and the MCP server on a real cluster instead of the embedded index. */
const SCRIPT = '<script>alert(1)</script><img src=x onerror=alert(1)><em>forged</em>';

describeInBrowser('on a cluster', () => {
  describeOwnEngine('the pages', (engine) => {
    let service: WebService;
    let browser: Browser;
    let watched: WatchedPage;
    let page: Page;

    beforeAll(async () => {
      const person = new Person();
      const pages = Array.from({ length: 12 }, (_, at) => ({
        lines: [[1, 9].includes(at) ? 'The keeper wrote.' : `Sheet ${at + 1}.`],
      }));
      person.writes('docs/many/.keep', '');
      for (let at = 0; at < 45; at += 1) person.writes(`docs/many/f${at}.txt`, `harbour number ${at}`);
      person.writes('docs/hostile/page.html', `<html><title>wicks</title><body>wicks ${SCRIPT}</body></html>`);
      person.writes('docs/hostile/<b>bold.txt', `wicks ${SCRIPT}`);
      person.writes('docs/long.txt', `beginning ${'word '.repeat(240_000)} ending`);
      writeFileSync(person.path('docs/handbook.pdf'), new PdfBuilder().build({ pages }));
      const settings = [`engine.urls=${engine.server.url}`, 'fs.indexed_chars=-1', 'fs.page_numbers=true'];
      service = await serve(person, ['./docs', ...settings.flatMap((each) => ['--set', each])]);
      await untilIdle(service.url);
      await ask(engine.server.url, 'POST', '/docs_*/_refresh');
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

    const show = async (address: string): Promise<void> => {
      watched = await WatchedPage.open(browser, `${service.url}/ui/${address}`);
      ({ page } = watched);
      await page.waitForSelector(address === 'operator' ? 'section.card' : '.hits .name, .nothing');
    };
    const names = (): Promise<string[]> => page.locator('.hits .name').allInnerTexts();

    test('find, open the document at its page, and go through its marks', async () => {
      await show('');
      await page.keyboard.type('keeper');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.hits mark');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.text mark');
      expect(page.url()).toMatch(/&page=2$/);
      expect(await page.locator('.marks p').innerText()).toBe('2 matches on 2 pages');
      await page.keyboard.press('n');
      await page.keyboard.press('n');
      await page.waitForSelector('.text [data-page="10"] mark.now');
      await page.goBack();
      await page.waitForSelector('.pane', { state: 'detached' });
    });

    test('narrow by what there is, and take it back', async () => {
      await show('?q=wicks');
      await page.click('label:has-text("Web page")');
      await page.waitForSelector('.hits > li:only-child');
      expect(await page.locator('.facet:has(legend:text("Type")) .value').count()).toBe(2);
      await page.click('.chip');
      await page.waitForSelector('.hits > li:nth-child(2)');
      await page.locator('.facet', { hasText: 'Folder' }).getByText('/hostile').waitFor();
      // Nobody has an author or a language here.
      expect(await page.locator('.facet', { hasText: 'Author' }).count()).toBe(0);
    });

    test('show all hits, page after page', async () => {
      await show('?q=harbour&sort=name');
      while ((await page.locator('.more').count()) > 0) {
        const count = await page.locator('.hits .name').count();
        await page.click('.more');
        await page.waitForSelector(`.hits > li:nth-child(${count + 1})`);
      }
      expect(await names()).toEqual(Array.from({ length: 45 }, (_, at) => `f${at}.txt`).sort());
    });

    test('0 hits say what is missing, and a wrong search what is wrong', async () => {
      await show('?q=harbour+submarine');
      await page.getByText('No document has “submarine”.').waitFor();
      await page.click('.nothing li button');
      await page.waitForSelector('.hits .name');
      await page.fill('input[type=search]', 'typ:pdf');
      await page.keyboard.press('Enter');
      await page.getByText('Did you mean [type:]?').waitFor();
      expect(await page.inputValue('input[type=search]')).toBe('typ:pdf');
    });

    test('a text of more than a million characters is found, shown and marked as far as it is read', async () => {
      await show('?q=beginning');
      await page.click('.hits .name');
      await page.waitForSelector('.text mark');
      await page.getByText('Only the first 1,000,000 characters').waitFor();
      expect(await page.locator('.text mark').allInnerTexts()).toEqual(['beginning']);
    });

    test('nothing of a document runs, and all of it is shown', async () => {
      await show('?q=wicks');
      const shown = await page.locator('.list').innerText();
      for (const text of ['<b>bold.txt', '<em>forged</em>']) expect(shown).toContain(text);
      expect(await page.locator('.list img, .list script, .list em').count()).toBe(0);
      const thrown = `(() => { try { document.body.innerHTML = 'x'; } catch (error) { return error.name; } })()`;
      expect(await page.evaluate(thrown)).toBe('TypeError');
      watched.faults = watched.faults.filter((fault) => !fault.includes('TrustedHTML'));
    });

    test('the index is compared with the tree', async () => {
      await show('operator');
      await watched.card('Index and tree').getByText('Index equals tree').waitFor();
      expect(await watched.card('Engine').innerText()).toMatch(/opensearch|\d+\.\d+/i);
    });

    test.each(eras)('assistants search and read (%s)', async (era) => {
      await show('');
      const client = clientOf(era);
      await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)));
      const { value } = await callTool(client, 'search', { query: 'keeper' });
      const [hit] = value['results'] as { id: string; snippets: { page: number }[] }[];
      expect([value['total'], hit?.snippets[0]?.page]).toEqual([1, 2]);
      const read = await callTool(client, 'fetch', { id: hit?.id, page: 10, pages: 1 });
      expect(read.value['text']).toContain('The keeper wrote.');
      const { value: listed } = await callTool(client, 'list_folder');
      expect(listed['folders']).toContainEqual({ path: '/many', documents: 46 });
      await client.close();
    });

    test('a cluster that is away has its sentence, and is back when it is back', async () => {
      await show('?q=harbour');
      await page.waitForSelector('.hits .name');
      expect(engine.server.pause()).toBe(true);
      try {
        await page.fill('input[type=search]', 'wicks');
        await page.keyboard.press('Enter');
        await page.getByText('Still searching…').waitFor();
        expect(await page.locator('.hits .name').count()).toBeGreaterThan(0);
      } finally {
        engine.server.resume();
      }
      await page.locator('.hits mark', { hasText: 'wicks' }).first().waitFor();
    });
  });
});
