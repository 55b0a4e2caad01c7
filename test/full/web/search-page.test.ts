import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import axe from 'axe-core';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { Person } from '../../support/person.js';
import type { RunningCrawler } from '../../support/crawler-process.js';

/** The search page in a real browser, against the real program. CRAWLER_SCREENSHOTS keeps what was seen. */
const CHROMIUM = '/usr/bin/chromium';
const describeInBrowser = existsSync(CHROMIUM) ? describe : describe.skip;
if (!existsSync(CHROMIUM)) process.stderr.write('Skipped: the search page needs chromium (.ci/install-tools).\n');

const SCRIPT = '<script>document.title="run"</script><img src=x onerror=alert(1)>"><svg onload=alert(1)> {{7*7}}';

describeInBrowser('the search page', () => {
  let person: Person;
  let crawler: RunningCrawler;
  let url: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    person = new Person();
    person.writes('docs/hostile/<img src=x onerror=alert(1)>.txt', `wicks ${SCRIPT} and \u202eturned`);
    person.writes('docs/hostile/gpj.\u202ecod.txt', 'wicks under a name that lies');
    person.writes('docs/hostile/page.html', `<html><title>${SCRIPT}</title><body>wicks ${SCRIPT}</body></html>`);
    person.writes('docs/عربي/منارة.txt', 'wicks في المنارة');
    for (let at = 0; at < 45; at += 1) person.writes(`docs/many/f${at}.txt`, `harbour number ${at}`);
    writeFileSync(join(person.home, 'docs', 'handbook.pdf'), readFileSync(HANDBOOK));
    const port = '127.0.0.1:0';
    crawler = person.starts(['./docs', '--rest', '--set', `rest.url=http://${port}`]);
    let printed = '';
    crawler.child.stdout?.on('data', (text: Buffer) => (printed += text.toString()));
    await crawler.printed('indexed [');
    url = /Search page: (\S+)/.exec(printed)?.[1] ?? '';
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    crawler.child.kill('SIGTERM');
    await crawler.finished;
    person.leaves();
  });

  beforeEach(async () => {
    faults = [];
    context = await browser.newContext({ viewport: { width: 1366, height: 900 } });
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('status of 4')) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('dialog', (dialog) => {
      faults.push(`a dialogue: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(new URL(url).origin)) faults.push(`a request to ${request.url()}`);
    });
  });
  afterEach(async () => {
    await context.close();
    expect(faults).toEqual([]);
  });

  const show = async (address: string): Promise<void> => {
    await page.goto(`${url}${address}`);
    await page.waitForSelector('.summary [role=status]:not(:empty), .nothing, .fault');
  };
  const names = (): Promise<string[]> => page.locator('.hits .name').allInnerTexts();
  const summary = (): Promise<string> => page.locator('.summary [role=status]').innerText();
  const keep = async (name: string): Promise<void> => {
    const folder = process.env['CRAWLER_SCREENSHOTS'];
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}.png`) });
  };

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
    await page.click('text=p. 3 (2)');
    await page.waitForSelector('.text section:first-of-type h3:text-is("Page 3")');
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

  test('markup cannot be set by a script', async () => {
    await show('');
    const thrown = await page.evaluate<string>(
      `(() => { try { document.body.innerHTML = '<b>x</b>'; return 'nothing'; } catch (error) { return error.name; } })()`,
    );
    expect(thrown).toBe('TypeError');
    // The browser reports what it has prevented.
    faults = faults.filter((fault) => !fault.includes('TrustedHTML'));
  });

  test.each([
    ['light', '?q=keeper'],
    ['dark', '?q=keeper'],
    ['light', ''],
    ['light', '?q=harbour+submarine'],
    ['dark', '?q=typ:x'],
    ['light', '?q=wicks'],
  ] as const)('can be used by everybody (%s, %s)', async (scheme, address) => {
    await page.emulateMedia({ colorScheme: scheme });
    await show(address);
    if (address === '?q=keeper') await page.click('.hits .name');
    await page.waitForTimeout(300);
    await page.evaluate(axe.source);
    const violations = await page.evaluate<string[]>(
      `axe.run({ runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] } }).then((result) =>
        result.violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
    );
    expect(violations).toEqual([]);
  });

  test.each([
    [360, 640],
    [320, 256],
    [800, 600],
    [2560, 1440],
  ])('fits into %d × %d', async (width, height) => {
    await page.setViewportSize({ width, height });
    const isWide = (): Promise<boolean> => page.evaluate('document.documentElement.scrollWidth > innerWidth');
    await show('?q=wicks');
    expect(await isWide()).toBe(false);
    await keep(`list-${width}`);
    await page.click('.hits .name');
    await page.waitForSelector('.text');
    expect(await isWide()).toBe(false);
    await keep(`document-${width}`);
  });

  test('asks few things of the service before the first hits', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.replace(/-[A-Z0-9]+\./, '.')));
    await show('?q=keeper');
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
    await context.setOffline(false);
    await page.waitForSelector('.banner', { state: 'detached' });
    expect((await names()).join()).toContain('page.html');
    faults = faults.filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED'));
  });
});

const HANDBOOK = 'examples/documents/handbook/lighthouse-keepers-handbook.pdf';
