import { utimesSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser, Page } from 'playwright-core';
import { callTool, clientOf, eras } from '../../mcp/mcp-harness.js';
import { startOpenSearch } from '../../engines/start-opensearch.mjs';
import { PdfBuilder } from '../../support/pdf-builder.js';
import { Person } from '../../support/person.js';
import { freePort } from '../../support/program.js';
import { expectFiltersCombine, expectHistoryWorks } from '../../support/search-tasks.js';
import { ask, describeOwnEngine } from '../../support/real-engines.js';
import { describeInBrowser, launchBrowser, WatchedPage } from '../../support/watched-page.js';
import { leave, serve, stop, untilIdle, type WebService } from '../../support/web-service.js';

/** The pages and the MCP server on a real cluster instead of the embedded index. */
const MANY = 45;
/** More than an engine counts, or shows without a cursor. */
const TEN_THOUSAND = 10_000;
const SCRIPT = '<script>alert(1)</script><img src=x onerror=alert(1)><em>forged</em>';

describeInBrowser('on a cluster', () => {
  describeOwnEngine('the pages', (engine) => {
    let service: WebService;
    let browser: Browser;
    let watched: WatchedPage;
    let page: Page;
    let address: string;
    const start = async (person: Person): Promise<WebService> => {
      const settings = [`engine.urls=${engine.server.url}`, 'fs.indexed_chars=-1', 'fs.page_numbers=true'];
      const started = await serve(person, ['./docs', ...settings.flatMap((each) => ['--set', each])], address);
      await untilIdle(started.url);
      return started;
    };

    beforeAll(async () => {
      const person = new Person();
      // With fewer words, a page is taken for a picture, and read by tesseract.
      const pages = Array.from({ length: 12 }, (_, at) => ({
        lines: [`Sheet ${at + 1}.`, [1, 9].includes(at) ? 'The keeper wrote.' : 'Fog and oil.'],
      }));
      person.writes('docs/many/.keep', '');
      for (let at = 0; at < MANY; at += 1) {
        const path = person.writes(`docs/many/f${at}.txt`, `harbour ${'.'.repeat((at * 7) % MANY)}`);
        utimesSync(path, 1.7e9, 1.7e9 + ((at * 11) % MANY) * 3600);
      }
      person.writes('docs/pair/tide.txt', 'tide and time');
      person.writes('docs/pair/tide.html', '<html><body>tide and time</body></html>');
      person.writes('docs/hostile/page.html', `<html><title>wicks</title><body>wicks ${SCRIPT}</body></html>`);
      person.writes('docs/hostile/<b>bold.txt', `wicks ${SCRIPT}`);
      person.writes('docs/long.txt', `beginning ${'word '.repeat(240_000)} ending`);
      writeFileSync(person.path('docs/handbook.pdf'), new PdfBuilder().build({ pages }));
      address = `http://127.0.0.1:${await freePort()}`;
      service = await start(person);
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

    const show = async (place: string): Promise<void> => {
      watched = await WatchedPage.open(browser, `${service.url}/ui/${place}`);
      ({ page } = watched);
      await page.waitForSelector(place === 'operator' ? 'section.card' : '.hits .name, .nothing');
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

    test('a page of the document is one click away, and its mark is in view', async () => {
      await show('?q=keeper');
      await page.click('.hits .name');
      await page.getByRole('button', { name: 'p. 10 (1)' }).click();
      await page.waitForSelector('.text [data-page="10"] mark');
      expect(await watched.isInView('.text [data-page="10"] mark')).toBe(true);
      expect(page.url()).toMatch(/&page=10$/);
    });

    const seen = async (one: Page): Promise<object> => ({
      url: one.url(),
      search: await one.inputValue('input[type=search]'),
      orders: await one
        .locator('.list select')
        .evaluateAll((all) => all.map((each) => (each as { value?: string }).value)),
      chips: await one.locator('.list .chip').allInnerTexts(),
      hits: await one.locator('.hits .name').allInnerTexts(),
      document: await one.locator('.pane h2').innerText(),
    });
    const expectPasted = async (ready: string): Promise<void> => {
      const other = await WatchedPage.open(browser, page.url());
      await other.page.waitForSelector(ready);
      await other.page.waitForSelector('.hits .name');
      expect(await seen(other.page)).toEqual(await seen(page));
      expect(await other.isInView(ready)).toBe(true);
      await other.context.close();
      expect(other.faults).toEqual([]);
    };

    test('a pasted address shows the same document at its page, and the same filters', async () => {
      await show('?q=keeper&type=pdf&modified_from=2000');
      await page.click('.hits .name');
      await page.getByRole('button', { name: 'p. 10 (1)' }).click();
      await page.waitForSelector('.text [data-page="10"] mark');
      await expectPasted('.text [data-page="10"] mark');
      const chips = [/^Type: PDF/, /2000/].map((each) => expect.stringMatching(each));
      expect(await seen(page)).toMatchObject({ search: 'keeper', chips, document: 'handbook.pdf' });
    });

    test('a pasted address shows the same hits in the same order', async () => {
      await show('?q=harbour&folder=/many&sort=oldest');
      await page.click('.hits .name >> nth=2');
      await page.waitForSelector('.text mark');
      await expectPasted('.text mark');
      expect(await seen(page)).toMatchObject({ orders: ['oldest'], chips: [expect.stringContaining('/many')] });
    });

    test.each([
      ['newest', (at: number) => -((at * 11) % MANY)],
      ['oldest', (at: number) => (at * 11) % MANY],
      ['largest', (at: number) => -((at * 7) % MANY)],
    ] as const)('in the order %s, in the page and over all of its pages', async (order, key) => {
      const expected = Array.from({ length: MANY }, (_, at) => at)
        .sort((a, b) => key(a) - key(b))
        .map((at) => `f${at}.txt`);
      await show('?q=harbour');
      await page.locator('.list select').selectOption(order);
      await page.waitForURL(`**sort=${order}`);
      await page
        .locator('.hits .name')
        .first()
        .filter({ hasText: expected[0] ?? '' })
        .waitFor();
      while ((await page.locator('.more').count()) > 0) {
        const count = await page.locator('.hits .name').count();
        await page.click('.more');
        await page.waitForSelector(`.hits > li:nth-child(${count + 1})`);
      }
      expect(await names()).toEqual(expected);
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

    test('several filters are taken together, and taken back at once', async () => {
      await show('?q=tide');
      await expectFiltersCombine(watched, ['Text', 'Web page']);
    });

    test('Back and forward lead through search, filter and document', async () => {
      await show('?q=keeper');
      await page.waitForSelector('.facet');
      await expectHistoryWorks(watched);
    });

    test('authors of an index without meta.author.keyword are not counted, and can be searched for', async () => {
      const older = 'older_docs';
      const url = engine.server.url;
      const { docs_docs: made } = (await ask(url, 'GET', '/docs_docs')) as { docs_docs: MadeIndex };
      const meta = { ...made.mappings.properties.meta.properties, author: { type: 'text' } };
      const properties = { ...made.mappings.properties, meta: { properties: meta } };
      const { analysis } = made.settings.index;
      await ask(url, 'PUT', `/${older}`, { mappings: { ...made.mappings, properties }, settings: { analysis } });
      const other = new Person();
      other.writes('older/a.html', '<html><head><meta name="author" content="Ann Lee"></head><body>fog</body></html>');
      const settings = [`engine.urls=${engine.server.url}`, `engine.index=${older}`, 'engine.push_templates=false'];
      const of = await serve(other, ['./older', ...settings.flatMap((each) => ['--set', each])]);
      try {
        await untilIdle(of.url);
        await ask(engine.server.url, 'POST', `/${older}/_refresh`);
        const found = async (query: string): Promise<unknown> => await (await fetch(`${of.url}/_find${query}`)).json();
        expect(await found('?q=fog')).toMatchObject({ hits: [{ name: 'a.html', author: 'Ann Lee' }] });
        const old = await WatchedPage.open(browser, `${of.url}/ui/?q=fog&author=Ann+Lee`);
        await old.page.locator('.list .chip', { hasText: 'Ann Lee' }).waitFor();
        await old.page.waitForSelector('.hits .name');
        expect(await old.page.locator('.hits .name').allInnerTexts()).toEqual(['a.html']);
        const counted = { facets: { type: [{ value: 'web', count: 1 }] }, unavailable: ['author'] };
        expect(await found('/facets?q=fog&facets=author,type')).toMatchObject(counted);
        await old.context.close();
        expect(old.faults).toEqual([]);
        await show('');
      } finally {
        await leave(of);
      }
    });

    test('show all hits, page after page', async () => {
      await show('?q=harbour&sort=name');
      while ((await page.locator('.more').count()) > 0) {
        const count = await page.locator('.hits .name').count();
        await page.click('.more');
        await page.waitForSelector(`.hits > li:nth-child(${count + 1})`);
      }
      expect(await names()).toEqual(Array.from({ length: MANY }, (_, at) => `f${at}.txt`).sort());
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

    test('a word that is misspelt leads to the right one', async () => {
      await show('?q=harbuor');
      await page.getByText('Did you mean “harbour”?').click();
      await page.waitForSelector('.hits .name');
      expect(await page.inputValue('input[type=search]')).toBe('harbour');
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
      watched.expects('TrustedHTML');
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

    test('an engine that is slow leaves the hits before, and says that it is searched', async () => {
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

    test('a service that is started again is found by the page that waits for it', async () => {
      await show('?q=harbour');
      await stop(service);
      await page.fill('input[type=search]', 'wicks');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.banner');
      service = await start(service.person);
      await page.waitForSelector('.banner', { state: 'detached' });
      await page.locator('.hits mark', { hasText: 'wicks' }).first().waitFor();
      watched.expects('ERR_CONNECTION_REFUSED');
    });

    test('a cluster that is down has its sentence on both pages, and is back when it is back', async () => {
      await show('?q=harbour');
      const operator = await WatchedPage.open(browser, `${service.url}/ui/operator`);
      await operator.expectSays('Engine', 'answers.');
      await engine.server.kill();
      await page.fill('input[type=search]', 'wicks');
      await page.keyboard.press('Enter');
      await page.locator('.banner', { hasText: 'search engine' }).waitFor();
      const answer = await fetch(`${service.url}/_find?q=wicks`);
      expect([answer.status, await answer.json()]).toMatchObject([503, { ok: false, message: expect.any(String) }]);
      expect(await page.locator('.hits .name').count()).toBeGreaterThan(0);
      expect(await watched.violations()).toEqual([]);
      await watched.keep('cluster-down');
      await operator.page.waitForSelector('section.card.wrong h2:text-is("Engine")');
      expect(await operator.violations()).toEqual([]);
      await operator.keep('operator-cluster-down');
      engine.server = await startOpenSearch({ home: engine.home, port: engine.server.port });
      await page.waitForSelector('.banner', { state: 'detached' });
      await page.locator('.hits mark', { hasText: 'wicks' }).first().waitFor();
      await operator.expectSays('Engine', 'answers.');
      await operator.context.close();
      expect(operator.faults).toEqual([]);
    });

    test('beyond 10,000 hits none is shown twice and none is missing, and all are counted', async () => {
      const index = 'docs_docs';
      for (let from = 0; from < TEN_THOUSAND; from += 2000) await bulk(engine.server.url, index, from, from + 2000);
      await ask(engine.server.url, 'POST', `/${index}/_refresh`);
      const ids = new Set<string>();
      let [after, shown] = ['', 0];
      do {
        const { hits, next } = (await (
          await fetch(`${service.url}/_find?q=harbour&sort=name&size=50&after=${after}`)
        ).json()) as { hits: { id: string }[]; next: string | null };
        for (const { id } of hits) ids.add(id);
        shown += hits.length;
        after = next ?? '';
      } while (after !== '');
      expect([shown, ids.size]).toEqual([TEN_THOUSAND + MANY, TEN_THOUSAND + MANY]);
      await show('?q=harbour');
      await page.getByText('More than 10,000 documents').waitFor();
      await page.getByRole('button', { name: 'Count all' }).click();
      await page.getByText('10,045 documents').waitFor();
    });
  });
});

/** As far as it matters here. */
interface MadeIndex {
  readonly mappings: {
    readonly properties: Readonly<Record<string, unknown>> & {
      readonly meta: { readonly properties: Readonly<Record<string, unknown>> };
    };
  };
  readonly settings: { readonly index: { readonly analysis: unknown } };
}

/** Documents beside those of the crawl, as another program writes them. */
async function bulk(url: string, index: string, from: number, to: number): Promise<void> {
  const lines = Array.from({ length: to - from }, (_, at) => {
    const name = `b${from + at}.txt`;
    const date = new Date(1.6e12 + (from + at) * 1000).toISOString();
    const file = { filename: name, extension: 'txt', filesize: 7, last_modified: date, indexing_date: date };
    const document = { content: 'harbour', file, path: { real: `/other/${name}`, virtual: `/other/${name}` } };
    return `${JSON.stringify({ index: { _id: name } })}\n${JSON.stringify(document)}\n`;
  });
  const headers = { 'content-type': 'application/x-ndjson' };
  const answer = await fetch(`${url}/${index}/_bulk`, { method: 'POST', body: lines.join(''), headers });
  expect(await answer.json()).toMatchObject({ errors: false });
}
