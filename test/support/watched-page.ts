import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import axe from 'axe-core';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

/** The same engine without windows, tabs and viewers, which take twice the processor time of the pages. */
const SHELL = '/usr/bin/chromium-headless-shell';
/** A browser as people have it: it shows PDF files itself. */
const WHOLE = '/usr/bin/chromium';

type Look = readonly [colorScheme: 'light' | 'dark', width: number, height: number, rules: AxeRules];
/** A theme changes colours and a size does not: contrast takes axe more time than everything else together. */
type AxeRules = 'all' | 'contrast' | 'all but contrast';

const DESK: Look = ['light', 1366, 900, 'all'];
const LOOKS: readonly Look[] = [
  DESK,
  ['dark', 1366, 900, 'contrast'],
  ['light', 360, 640, 'all but contrast'],
  ['dark', 320, 256, 'all'],
];

/** Skipped, and said so, where there is no browser. */
const missing = [SHELL, WHOLE].filter((path) => !existsSync(path));
export const describeInBrowser = missing.length === 0 ? describe : describe.skip;
if (missing.length > 0) process.stderr.write(`Skipped: the pages need ${missing.join(', ')} (.ci/install-tools).\n`);

export function launchBrowser({ showsPdf = false } = {}): Promise<Browser> {
  return chromium.launch({ executablePath: showsPdf ? WHOLE : SHELL, args: ['--no-sandbox'] });
}

function axeOptions(rules: AxeRules): object {
  if (rules === 'contrast') return { runOnly: ['color-contrast'] };
  const runOnly = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] };
  return { runOnly, rules: { 'color-contrast': { enabled: rules === 'all' } } };
}

/** A page of the service in a browser, and everything that must not happen in it. CRAWLER_SCREENSHOTS keeps what was seen. */
export class WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  faults: string[] = [];

  private constructor(context: BrowserContext, page: Page, origin: string) {
    this.context = context;
    this.page = page;
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of [45]/.test(message.text())) this.faults.push(message.text());
    });
    page.on('pageerror', (error) => this.faults.push(error.message));
    page.on('dialog', (dialog) => {
      this.faults.push(`a dialogue: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(origin)) this.faults.push(`a request to ${request.url()}`);
    });
  }

  static async open(browser: Browser, address: string): Promise<WatchedPage> {
    const context = await browser.newContext({ viewport: { width: 1366, height: 900 } });
    const watched = new WatchedPage(context, await context.newPage(), new URL(address).origin);
    await watched.page.goto(address);
    return watched;
  }

  async keep(name: string): Promise<void> {
    const folder = process.env['CRAWLER_SCREENSHOTS'];
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  }

  /** What keeps people out: in both themes, on a desk, on a telephone, and at four times the size on a small screen. */
  async violations(looks: readonly Look[] = LOOKS): Promise<readonly string[]> {
    if (await this.page.evaluate<boolean>('window.axe === undefined')) await this.page.evaluate(axe.source);
    const found: string[] = [];
    for (const [colorScheme, width, height, rules] of looks) {
      await this.page.emulateMedia({ colorScheme });
      await this.page.setViewportSize({ width, height });
      const violations = await this.page.evaluate<string[]>(
        `axe.run(${JSON.stringify(axeOptions(rules))}).then((result) =>
          result.violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
      );
      if (await this.isWide()) violations.push('scrolls sideways');
      found.push(...violations.map((violation) => `${colorScheme}, ${width} × ${height}: ${violation}`));
    }
    const [, width, height] = DESK;
    await this.page.emulateMedia({ colorScheme: null });
    await this.page.setViewportSize({ width, height });
    return found;
  }

  isWide(): Promise<boolean> {
    return this.page.evaluate('document.documentElement.scrollWidth > innerWidth');
  }

  /** The whole of it, without scrolling. */
  async isInView(selector: string): Promise<boolean> {
    const box = await this.page.locator(selector).first().boundingBox();
    const { height = 0 } = this.page.viewportSize() ?? {};
    return box !== null && box.y >= 0 && box.y + box.height <= height;
  }

  /** By its whole title, or a part of it. */
  card(title: string | RegExp): ReturnType<Page['locator']> {
    return this.page.locator('section.card', { has: this.page.getByRole('heading', { name: title, exact: true }) });
  }

  /** Presses a button of a card. */
  press(card: string | RegExp, name: string): Promise<void> {
    return this.card(card).getByRole('button', { name }).click();
  }

  /** Waits until a card has the text. */
  expectSays(card: string | RegExp, text: string | RegExp): Promise<void> {
    return this.card(card).filter({ hasText: text }).first().waitFor();
  }

  /** What the browser itself reports of a state that the test has made. */
  expects(fault: string): void {
    this.faults = this.faults.filter((each) => !each.includes(fault));
  }
}
