import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { PdfBuilder } from '../../support/pdf-builder.js';
import { Person } from '../../support/person.js';
import { describeInBrowser, launchBrowser, WatchedPage } from '../../support/watched-page.js';
import { leave, serve, untilIdle, type WebService } from '../../support/web-service.js';

/** The pages as people use them who have no mouse, another language, another way of reading. */
const NAMES = ['منارة.txt', 'מגדלור.txt', '灯台の記録.txt', 'ประภาคาร.txt'];

describeInBrowser('the pages', () => {
  let service: WebService;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    const person = new Person();
    const line = (at: number): string => ([2, 3, 30, 31, 40].includes(at) ? 'The keeper wrote.' : 'Fog and oil.');
    const pages = Array.from({ length: 40 }, (_, at) => ({ lines: [`Sheet ${at + 1}.`, line(at + 1)] }));
    person.writes('docs/books/log.txt', `keeper ${'fog '.repeat(10_000)} keeper ${'oil '.repeat(10_000)} keeper`);
    writeFileSync(person.path('docs/books/handbook.pdf'), new PdfBuilder().build({ pages }));
    for (const name of NAMES) person.writes(`docs/names/${name}`, `wicks ${name} في المنارة 灯台`);
    person.writes('docs/plain.txt', 'harbour');
    person.writes('docs/drafts/offer.txt', 'harbour');
    person.writesJob(
      'docs',
      `name: docs\nfs:\n  url: ${person.path('docs')}\n  excludes: ['*/drafts/*']\nrest:\n  facets: [external.team]\n`,
    );
    service = await serve(person, ['docs']);
    await untilIdle(service.url);
    const form = new FormData();
    form.append('file', new Blob(['harbour of the team']), 'sent.txt');
    form.append('tags', JSON.stringify({ external: { team: 'north', list: ['x'] } }));
    await fetch(`${service.url}/_document`, { method: 'POST', body: form });
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

  const show = async (address: string, within = browser): Promise<void> => {
    watched = await WatchedPage.open(within, `${service.url}/ui/${address}`);
    ({ page } = watched);
    await page.waitForSelector(address.startsWith('operator') ? 'section.card >> nth=3' : '.summary, .nothing');
  };
  const focused = (): Promise<string> =>
    page.evaluate('document.activeElement.className || document.activeElement.type');
  const keys = async (...all: readonly string[]): Promise<void> => {
    for (const key of all) await page.keyboard.press(key);
  };

  /** What playwright waits for by itself is evaluated by the page, whose policy forbids that. */
  const until = async (expression: string): Promise<void> => {
    for (let tries = 0; !(await page.evaluate<boolean>(expression)); tries += 1) {
      if (tries === 1000) throw new Error(`It does not come true: ${expression}`);
      await delay(20);
    }
  };

  test('the index is compared with the tree by itself, after the first scan', async () => {
    await show('operator');
    await watched.card('Index and tree').getByText('Index equals tree').waitFor();
    expect(await page.locator('.head .truth').innerText()).toContain('✔ in sync');
  });

  describe('with keys alone', () => {
    test('Enter, arrow, Enter open the best hit; Space only looks at it', async () => {
      await show('?q=keeper');
      await page.waitForSelector('.hits .name');
      await keys('/', 'ArrowDown', ' ');
      await page.waitForSelector('.pane .text');
      expect(await focused()).toBe('name');
      await keys(' ');
      await page.waitForSelector('.pane', { state: 'detached' });
      await keys('Enter');
      await page.waitForSelector('.pane .text');
      expect(await page.evaluate('document.activeElement.tagName')).toBe('H2');
      const first = await page.locator('.pane h2').innerText();
      await keys(']');
      await page.locator('.pane h2', { hasText: first === 'log.txt' ? 'handbook.pdf' : 'log.txt' }).waitFor();
      await keys('[');
      await page.locator('.pane h2', { hasText: first }).waitFor();
      await keys('Escape');
      expect(await focused()).toBe('name');
      // There the document lies over the list.
      await page.setViewportSize({ width: 360, height: 800 });
      await keys('Enter');
      await page.waitForSelector('.pane .text');
      await keys('Escape');
      expect(await focused()).toBe('name');
    });

    test('f leads to the filters, and a filter can be set and taken back', async () => {
      // A folder without others in it is no filter any more once it is chosen: the first filter is the type.
      await show('?q=keeper&folder=/books');
      await page.waitForSelector('.facet input');
      await keys('f');
      expect(await focused()).toBe('checkbox');
      await keys(' ');
      await page.waitForSelector('.chip >> nth=1');
      await keys('f', ' ');
      await page.waitForSelector('.chip >> nth=1', { state: 'detached' });
    });

    test('g leads to the other page and back, and w to the question why', async () => {
      await show('?q=harbour&type=text');
      await page.waitForSelector('.hits .name');
      await keys('g');
      await page.waitForURL('**/ui/operator');
      await page.waitForSelector('.why input');
      await keys('w');
      expect(await focused()).toBe('search');
      await page.keyboard.type('drafts/offer.txt');
      await keys('Enter');
      await watched.card('Why?').getByText('Left out by a rule.').waitFor();
      await keys('Escape', 'g');
      await page.waitForURL('**/ui/');
      await show('?q=plain');
      await page.waitForSelector('.hits .name');
      await keys('/', 'ArrowDown', 'w');
      await watched.card('Why?').getByText('In the index.', { exact: true }).waitFor();
      expect(await page.inputValue('.why input')).toBe(service.person.path('docs/plain.txt'));
    });

    describe('in a browser that shows PDF files', () => {
      let whole: Browser;
      beforeAll(async () => {
        whole = await launchBrowser({ showsPdf: true });
      });
      afterAll(() => whole.close());

      test('y and Y copy the path and its folder, o opens the file, d downloads it', async () => {
        await show('?q=keeper+type:pdf', whole);
        await watched.context.grantPermissions(['clipboard-read', 'clipboard-write']);
        await page.click('.hits .name');
        await page.waitForSelector('[data-key=o]');
        const copied = async (key: string): Promise<string> => {
          await keys(key);
          await page.getByText('Copied').waitFor();
          return await page.evaluate('navigator.clipboard.readText()');
        };
        expect(await copied('y')).toBe(service.person.path('docs/books/handbook.pdf'));
        expect(await copied('Y')).toBe(service.person.path('docs/books'));
        const [download] = await Promise.all([page.waitForEvent('download'), keys('d')]);
        expect(download.suggestedFilename()).toBe('handbook.pdf');
        const [other] = await Promise.all([watched.context.waitForEvent('page'), keys('o')]);
        expect(other.url()).toMatch(/original\?disposition=inline#page=2$/);
      });
    });

    test('they are listed, and those of one character can be switched off for good', async () => {
      await show('?q=keeper');
      await keys('?');
      await page.getByRole('dialog').getByText('why is a file found, or not?').waitFor();
      expect(await watched.violations()).toEqual([]);
      await watched.keep('keys');
      await page.getByLabel('Keys of one character act').uncheck();
      await keys('Escape', 'g', '?');
      expect([page.url().includes('operator'), await page.getByRole('dialog').count()]).toEqual([false, 0]);
      await page.reload();
      await page.waitForSelector('.hits .name');
      await keys('g');
      await page.getByRole('button', { name: 'Keys' }).click();
      await page.getByLabel('Keys of one character act').check();
      // In one task: the key that follows at once is for the page already.
      await page.evaluate(`document.querySelector('dialog > button').click();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'g', bubbles: true }))`);
      await page.waitForURL('**/ui/operator');
    });

    test('whatever has the focus shows it', async () => {
      await show('?q=keeper');
      await page.waitForSelector('.facet input');
      for (let at = 0; at < 25; at += 1) {
        await keys('Tab');
        const style = `(() => { const { activeElement: one } = document; const { outlineStyle, outlineWidth } = getComputedStyle(one);
          return one === document.body ? 'solid 3px' : outlineStyle + ' ' + outlineWidth; })()`;
        expect(await page.evaluate(style)).toMatch(/^(?:solid|auto) [1-9]/);
      }
    });
  });

  test('n and N go through every mark, also of pages that were not read yet', async () => {
    await show('?q=keeper+type:pdf');
    await page.click('.hits .name');
    await page.waitForSelector('.text mark');
    const place = `document.querySelector('.text section:has(mark.now)')?.dataset.page`;
    const at = async (key: string): Promise<string> => {
      const before = await page.evaluate<string | undefined>(place);
      await keys(key);
      await until(`${place} !== undefined && ${place} !== ${JSON.stringify(before)}`);
      expect(await page.locator('mark.now').innerText()).toBe('keeper');
      return await page.evaluate<string>(place);
    };
    const forwards = [];
    for (let step = 0; step < 5; step += 1) forwards.push(await at('n'));
    expect(forwards).toEqual(['2', '3', '30', '31', '40']);
    const backwards = [];
    for (let step = 0; step < 4; step += 1) backwards.push(await at('N'));
    expect(backwards).toEqual(['31', '30', '3', '2']);
  });

  test('n reads on in a text without pages until it finds the next one', async () => {
    await show('?q=keeper+type:text');
    await page.click('.hits .name');
    await page.waitForSelector('.text mark');
    await keys('n');
    for (const [length, marks] of [
      [40_000, 2],
      [80_000, 3],
    ] as const) {
      await keys('n');
      await until(`document.querySelector('.text').textContent.length > ${length}`);
      await until(`document.querySelectorAll('.text mark').length === ${marks}`);
      await until(`[...document.querySelectorAll('.text mark')].at(-1)?.className === 'now'`);
    }
    expect(await page.locator('.text mark').count()).toBe(3);
    expect(await page.locator('.text mark').last().getAttribute('class')).toBe('now');
  });

  test('a damaged address shows what it can, and says what it left out', async () => {
    await show('?q=harbour&typ=pdf&page=x&utm_source=mail');
    await page.getByText('It was left out: typ, utm_source').waitFor();
    // The hits come later than what is known without the service.
    await until(`document.querySelectorAll('.hits .name').length === 2`);
    await page.fill('input[type=search]', 'wicks');
    await keys('Enter');
    await page.getByText('It was left out').waitFor({ state: 'detached' });
    expect(page.url()).toMatch(/\?q=wicks$/);
  });

  test('says that it is still searching while there are no hits, and not for the counts', async () => {
    await show('');
    let release = (): void => undefined;
    const hold = async (pattern: string): Promise<void> => {
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route(pattern, async (route) => {
        await held;
        await route.continue();
      });
    };
    await hold('**/_find?*');
    await page.fill('input[type=search]', 'keeper');
    await keys('Enter');
    await page.getByText('Still searching…').waitFor();
    expect(await watched.violations()).toEqual([]);
    release();
    await page.getByText('Still searching…').waitFor({ state: 'detached' });
    await page.unrouteAll();
    await hold('**/_find/facets?*');
    await page.fill('input[type=search]', 'wicks');
    await keys('Enter');
    await page.locator('.hits mark', { hasText: 'wicks' }).first().waitFor();
    await delay(2500);
    expect(await page.getByText('Still searching…').count()).toBe(0);
    release();
    await page.locator('.facet').first().waitFor();
    await page.unrouteAll();
  });

  test('tags are counted, filter, and lead from a document to all that have them', async () => {
    await show('?q=harbour');
    await page.locator('.facet', { hasText: 'team: north' }).locator('input').check();
    await page.waitForSelector('.hits > li:only-child');
    await page.click('.hits .name');
    await page.getByText('Details').click();
    await page.getByRole('link', { name: 'north' }).click();
    await page.waitForURL('**/ui/?tag=external.team%3Anorth');
    await page.waitForSelector('.hits > li:only-child');
    expect(await page.locator('.hits .name').allInnerTexts()).toEqual(['sent.txt']);
  });

  test.each(NAMES)('the name %s is shown in its own direction, and found', async (name) => {
    await show(`?q=${encodeURIComponent(name.replace('.txt', ''))}`);
    await page.waitForSelector('.hits .name');
    expect(await page.locator('.hits .name bdi').first().innerText()).toBe(name);
    await watched.keep(`name-${NAMES.indexOf(name)}`);
    await page.click('.hits .name');
    await page.locator('.pane h2', { hasText: name }).waitFor();
    expect(await watched.violations()).toEqual([]);
  });

  describe('in the pseudo language', () => {
    /** Texts that are shown and are not of a document, not a moment, not a sentence of the service. */
    const PLAIN = `[...document.querySelectorAll('body *')].flatMap((one) => [...one.childNodes])
      .filter((node) => node.nodeType === 3 && !node.parentElement.closest('bdi, time, kbd, pre, noscript, option:not(:checked)'))
      .filter((node) => node.parentElement.checkVisibility() && /[A-Za-z]{3}/.test(node.data)).map((node) => node.data)`;
    const CUT = `[...document.querySelectorAll('button, .button, legend, h1, h2, h3, summary, label, dt, th')]
      .filter((one) => one.checkVisibility() && (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline'))
      .map((one) => one.innerText)`;

    test.each([
      ['?lang=zz', '.hits .name'],
      ['?q=keeper&lang=zz', '.facet'],
      ['?q=harbour+submarine&lang=zz', '.nothing li'],
      ['operator?lang=zz&why=plain.txt', 'polyline'],
    ])('no English is left at %s, and nothing is cut off', async (address, ready) => {
      for (const width of [1366, 360]) {
        await show(address);
        await page.setViewportSize({ width, height: 800 });
        await page.waitForSelector(ready, { state: 'attached' });
        if (address.startsWith('?q=keeper')) await page.click('.hits .name');
        const place = address.startsWith('?q=keeper') ? '.pane' : 'body';
        for (const summary of await page.locator(`${place} summary`).all()) await summary.click();
        expect(await page.evaluate(PLAIN)).toEqual([]);
        expect(await page.evaluate(CUT)).toEqual([]);
        expect(await watched.isWide()).toBe(false);
        await watched.keep(`pseudo-${width}-${address.replaceAll(/\W+/g, '-')}`);
        if (width === 1366) await watched.context.close();
      }
      expect(page.url()).toContain('lang=zz');
    });
  });

  test('in forced colours everything can be used, and only the open hit looks chosen', async () => {
    await show('?q=wicks');
    await page.emulateMedia({ forcedColors: 'active' });
    await page.click('.hits .name >> nth=1');
    await page.waitForSelector('.pane .text');
    const colours = await page.evaluate<(readonly [isOpen: boolean, colour: string])[]>(
      `[...document.querySelectorAll('.hit')].map((hit) =>
        [hit.classList.contains('open'), getComputedStyle(hit).borderInlineStartColor])`,
    );
    const ofOthers = new Set(colours.filter(([isOpen]) => !isOpen).map(([, colour]) => colour));
    expect([ofOthers.size, ofOthers.has(colours.find(([isOpen]) => isOpen)?.[1] ?? '')]).toEqual([1, false]);
    expect(await watched.violations([['light', 1366, 900, 'all']])).toEqual([]);
    await watched.keep('forced-colours');
  });

  test('nothing moves for those who want no motion, and paper gets the document alone', async () => {
    await show('?q=keeper+type:pdf');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.click('.hits .name');
    await page.waitForSelector('.pane .text');
    expect(await page.evaluate('getComputedStyle(document.querySelector(".results")).transitionDuration')).toBe('0s');
    await page.emulateMedia({ media: 'print' });
    for (const part of ['.head', '.search', '.facets', '.list', '.actions', '.marks'])
      expect(await page.locator(part).first().isVisible()).toBe(false);
    const width = `document.querySelector('.pane .content').getBoundingClientRect().width / innerWidth`;
    expect(await page.evaluate(width)).toBeGreaterThan(0.9);
    await watched.keep('print');
  });
});
