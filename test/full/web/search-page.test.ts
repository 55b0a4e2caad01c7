import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Person } from '../../support/person.js';
import { expectFiltersCombine, expectHistoryWorks } from '../../support/search-tasks.js';
import { describeInBrowser, launchBrowser, WatchedPage } from '../../support/watched-page.js';
import { leave, serve, untilIdle, type WebService } from '../../support/web-service.js';

/** The search page in a real browser, against the real program. */
const LONG = `${'a long name '.repeat(20)}.txt`;
const DEEP = Array.from({ length: 12 }, (_, at) => `folder number ${at} of many that lie in each other`).join('/');

const SCRIPT = '<script>document.title="run"</script><img src=x onerror=alert(1)>"><svg onload=alert(1)> {{7*7}}';

describeInBrowser('the search page', () => {
  let service: WebService;
  let url: string;
  let browser: Browser;
  let watched: WatchedPage;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    const person = new Person();
    person.writes('docs/hostile/<img src=x onerror=alert(1)>.txt', `wicks ${SCRIPT} and \u202eturned`);
    person.writes('docs/hostile/gpj.\u202ecod.txt', 'wicks under a name that lies');
    person.writes('docs/hostile/page.html', `<html><title>${SCRIPT}</title><body>wicks ${SCRIPT}</body></html>`);
    person.writes('docs/عربي/منارة.txt', 'wicks في المنارة');
    for (let at = 0; at < 45; at += 1) person.writes(`docs/many/f${at}.txt`, `harbour number ${at}`);
    for (let at = 0; at < 30; at += 1) person.writes(`docs/kinds/k.e${at}x`, `fog of the kind ${at}`);
    person.writes(`docs/${DEEP}/${LONG}`, 'barnacles');
    person.writes('docs/pair/tide.txt', 'tide and time');
    person.writes('docs/pair/tide.html', '<html><body>tide and time</body></html>');
    person.writes('docs/broken.pdf', '%PDF-1.7 nothing more');
    writeFileSync(person.path('docs/handbook.pdf'), readFileSync(HANDBOOK));
    service = await serve(person, ['./docs']);
    await untilIdle(service.url);
    url = `${service.url}/ui/`;
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await leave(service);
  });

  beforeEach(async () => {
    watched = await WatchedPage.open(browser, url);
    ({ context, page } = watched);
  });
  afterEach(async () => {
    await context.close();
    expect(watched.faults).toEqual([]);
  });

  const show = async (address: string): Promise<void> => {
    await page.goto(`${url}${address}`);
    await page.waitForSelector('.summary [role=status]:not(:empty), .nothing, .fault');
  };
  const names = (): Promise<string[]> => page.locator('.hits .name').allInnerTexts();
  const summary = (): Promise<string> => page.locator('.summary [role=status]').innerText();
  const keep = (name: string): Promise<void> => watched.keep(name);

  test('is what a browser gets at the address of the service', async () => {
    await page.goto(new URL('..', url).href);
    expect(page.url()).toBe(url);
    await page.waitForSelector('.hits .name');
    expect(await page.locator('h1').innerText()).toBe('docs');
    expect(await page.title()).toBe('docs – Search');
    expect(await names()).toHaveLength(10);
    await keep('blank');
  });

  test('finds, opens the document at its page with two keys, and steps through its marks', async () => {
    await show('');
    await page.keyboard.type('keeper');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.hits mark');
    expect(await summary()).toMatch(/^1 document · /);
    expect(page.url()).toContain('?q=keeper');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.text mark');
    expect(page.url()).toMatch(/doc=\w+&page=1/);
    expect(await page.locator('.marks p').innerText()).toBe('6 matches on 3 pages');
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    expect(await page.locator('mark.now').innerText()).toBe('Keeper');
    expect(await watched.violations()).toEqual([]);
    await page.click('text=p. 3 (2)');
    await page.waitForSelector('.text section:first-of-type h3:text-is("Page 3")');
    expect(await watched.isInView('.text [data-page="3"] mark')).toBe(true);
    await keep('document');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.pane', { state: 'detached' });
    expect(await page.locator(':focus').getAttribute('class')).toBe('name');
    await page.goBack();
    await page.waitForSelector('.pane');
  });

  test('a pasted address shows the same thing', async () => {
    await show('?q=keeper&type=pdf');
    await page.click('.snippet >> nth=0');
    await page.waitForSelector('.text mark');
    const other = await context.newPage();
    await other.goto(page.url());
    await other.waitForSelector('.text mark');
    expect(await other.locator('.pane h2').innerText()).toBe('handbook.pdf');
    expect(await other.locator('.chip').first().innerText()).toMatch(/^Type: PDF/);
  });

  test('opens the file in the browser, at its page', async () => {
    await show('?q=keeper');
    await page.click('.hits .name');
    const link = page.locator('a:text-is("Open the file")');
    expect(await link.getAttribute('href')).toMatch(/original\?disposition=inline#page=1$/);
    const response = await context.request.get(new URL((await link.getAttribute('href')) ?? '', url).href);
    expect([response.status(), response.headers()['content-type']]).toEqual([200, 'application/pdf']);
  });

  test('narrows by what there is, and takes it back', async () => {
    await show('?q=wicks');
    await page.waitForSelector('.facet');
    const before = await summary();
    await page.click('label:has-text("Web page")');
    await page.waitForSelector('.hits > li:only-child');
    // The facet does not count its own filter.
    expect(await page.locator('.facet:has(legend:text("Type")) .value').count()).toBeGreaterThan(1);
    await page.click('.chip');
    await page.waitForSelector(`.summary p:has-text("${before.split(' · ')[0]}")`);
    expect(page.url()).not.toContain('type=');
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

  test('shows all hits, page after page', async () => {
    await show('?q=harbour+in:many&sort=name');
    const expected = Array.from({ length: 45 }, (_, at) => `f${at}.txt`).sort();
    while ((await page.locator('.more').count()) > 0) {
      const count = await page.locator('.hits .name').count();
      await page.click('.more');
      await page.waitForSelector(`.hits > li:nth-child(${count + 1})`);
    }
    expect(await names()).toEqual(expected);
  });

  test('0 hits say what is missing and what would find something', async () => {
    await show('?q=harbour+submarine');
    await page.waitForSelector('.nothing li button');
    expect(await page.locator('.nothing').innerText()).toContain('No document has “submarine”.');
    await keep('nothing');
    await page.click('.nothing li button');
    await page.waitForSelector('.hits .name');
    expect(page.url()).toContain('any=true');
  });

  test('a word that is misspelt leads to the right one', async () => {
    await show('?q=harbuor');
    await page.getByText('Did you mean “harbour”?').click();
    await page.waitForSelector('.hits .name');
    expect(await page.inputValue('input[type=search]')).toBe('harbour');
  });

  test('a wrong search gets its sentence, and Back the search before', async () => {
    await show('?q=harbour');
    await page.fill('input[type=search]', 'typ:pdf');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.fault');
    expect(await page.locator('.fault').innerText()).toContain('Did you mean [type:]?');
    await page.goBack();
    await page.waitForSelector('.fault', { state: 'detached' });
    expect(await page.inputValue('input[type=search]')).toBe('harbour');
  });

  test('nothing of a document runs, and all of it is shown', async () => {
    await show('?q=wicks');
    const shown = (await page.locator('.list').innerText()).replace(/\s+/g, ' ');
    expect(shown).toContain('<img src=x onerror=alert(1)>.txt');
    expect(shown).toContain('gpj.U+202Ecod.txt');
    expect(shown).toContain('{{7*7}}');
    expect(await page.locator('.list img, .list script, .list svg').count()).toBe(0);
    await keep('hostile');
    for (const name of await page.locator('.hits .name').all()) {
      await name.click();
      await page.waitForSelector('.text');
      expect(await page.locator('.pane img, .pane script, .pane svg').count()).toBe(0);
    }
    expect(await page.title()).toBe('docs – Search');
  });

  test('a folder with a name from right to left stands behind its slash', async () => {
    await show('?q=wicks+name:منارة');
    const signs = await page.evaluate<(readonly [sign: string, left: number])[]>(
      `(() => { const walk = document.createTreeWalker(document.querySelector('.hits .folder'), NodeFilter.SHOW_TEXT);
        const range = document.createRange(); const signs = [];
        while (walk.nextNode()) for (let at = 0; at < walk.currentNode.length; at += 1) {
          range.setStart(walk.currentNode, at); range.setEnd(walk.currentNode, at + 1);
          signs.push([walk.currentNode.data[at], range.getBoundingClientRect().left]);
        } return signs; })()`,
    );
    expect(signs.map(([sign]) => sign).join('')).toBe('/عربي');
    const fromTheLeft = [...signs].sort(([, a], [, b]) => a - b).map(([sign]) => sign);
    expect(fromTheLeft.join('')).toBe('/يبرع');
    await keep('right-to-left');
  });

  test('markup cannot be set by a script', async () => {
    await show('');
    const thrown = await page.evaluate<string>(
      `(() => { try { document.body.innerHTML = '<b>x</b>'; return 'nothing'; } catch (error) { return error.name; } })()`,
    );
    expect(thrown).toBe('TypeError');
    // The browser reports what it has prevented.
    watched.expects('TrustedHTML');
  });

  test.each([
    ['', '.hits .name'],
    ['?q=keeper', '.facet'],
    ['?q=harbour+submarine', '.nothing li button'],
    ['?q=typ:x', '.fault'],
    ['?q=wicks', '.facet'],
    ['?q=barnacles', '.hits .folder'],
    ['?q=name:broken', '.problem'],
  ] as const)('can be used by everybody at %s', async (address, ready) => {
    await show(address);
    await page.waitForSelector(ready);
    expect(await watched.violations()).toEqual([]);
    if (!/keeper|barnacles|broken/.test(address)) return;
    if (address.includes('barnacles')) expect(await page.locator('.hits .name').innerText()).toMatch(/^a long .*…/);
    await page.click('.hits .name');
    await page.locator('.pane h2').waitFor();
    expect(await watched.violations()).toEqual([]);
    await keep(`open-${address.replaceAll(/\W+/g, '-')}`);
  });

  test('a document that is gone meanwhile says so', async () => {
    await show('?q=keeper&doc=gone');
    await page.locator('.pane', { hasText: 'no longer in the index' }).waitFor();
    expect(await watched.violations()).toEqual([]);
    await keep('gone');
  });

  test('all values of a filter can be listed, and found by a part of them', async () => {
    await show('?q=fog');
    const facet = page.locator('.facet', { has: page.locator('legend', { hasText: 'Extension' }) });
    await facet.getByText('Show more').click();
    expect(await facet.locator('.value').count()).toBe(20);
    await facet.getByRole('button', { name: 'All values' }).click();
    await facet.getByRole('searchbox', { name: 'Find in extension' }).fill('e29');
    await facet.locator('.value', { hasText: 'e29x' }).locator('input').check();
    await page.waitForSelector('.hits > li:only-child');
    expect(await names()).toEqual(['k.e29x']);
  });

  test.each([
    [360, 640],
    [320, 256],
    [800, 600],
    [2560, 1440],
  ])('fits into %d × %d', async (width, height) => {
    await page.setViewportSize({ width, height });
    await show('?q=wicks');
    expect(await watched.isWide()).toBe(false);
    await keep(`list-${width}`);
    await page.click('.hits .name');
    await page.waitForSelector('.text');
    expect(await watched.isWide()).toBe(false);
    await keep(`document-${width}`);
  });

  test('asks few things of the service before the first hits', async () => {
    const asked: string[] = [];
    const first = await browser.newContext();
    const fresh = await first.newPage();
    fresh.on('request', (request) => asked.push(new URL(request.url()).pathname.replace(/-[A-Z0-9]+\./, '.')));
    await fresh.goto(`${url}?q=keeper`);
    await fresh.waitForSelector('.hits .name');
    await first.close();
    expect(asked.slice(0, 4).sort()).toEqual(['/ui/', '/ui/search.js', '/ui/shared.js', '/ui/style.css']);
    expect(asked.filter((path) => path === '/_find')).toHaveLength(1);
  });

  test('a service that is away is waited for, and nothing is lost', async () => {
    await show('?q=harbour');
    await context.setOffline(true);
    await page.fill('input[type=search]', 'wicks');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.banner');
    expect(await page.locator('.hits .name').count()).toBeGreaterThan(0);
    expect(await page.inputValue('input[type=search]')).toBe('wicks');
    expect(await watched.violations()).toEqual([]);
    await keep('banner');
    await context.setOffline(false);
    await page.waitForSelector('.banner', { state: 'detached' });
    expect((await names()).join()).toContain('page.html');
    watched.expects('ERR_INTERNET_DISCONNECTED');
  });
});

const HANDBOOK = 'examples/documents/handbook/lighthouse-keepers-handbook.pdf';
