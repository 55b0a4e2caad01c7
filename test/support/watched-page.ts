import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import axe from 'axe-core';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** Skipped, and said so, where there is no browser. */
export const describeInBrowser = existsSync(CHROMIUM) ? describe : describe.skip;
if (!existsSync(CHROMIUM)) process.stderr.write('Skipped: the pages need chromium (.ci/install-tools).\n');

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
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

  /** What keeps people out. */
  async violations(): Promise<readonly string[]> {
    await this.page.evaluate(axe.source);
    return await this.page.evaluate<string[]>(
      `axe.run({ runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] } }).then((result) =>
        result.violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
    );
  }

  isWide(): Promise<boolean> {
    return this.page.evaluate('document.documentElement.scrollWidth > innerWidth');
  }

  /** By its whole title, or a part of it. */
  card(title: string | RegExp): ReturnType<Page['locator']> {
    return this.page.locator('section.card', { has: this.page.getByRole('heading', { name: title, exact: true }) });
  }
}
