// The pictures of README.md: both pages of the service over the example documents, in Chromium.
// `npm run build && node .ci/take-pictures.mjs`
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const FOLDER = '.github/pictures';
const MOST_BYTES = 200_000;
const SIZE = { width: 1100, height: 640 };

const home = mkdtempSync(join(tmpdir(), 'pictures-'));
const documents = join(home, 'documents');
cpSync('examples/documents', documents, { recursive: true });
// Something that an operator has to look at.
writeFileSync(join(documents, 'scan of 1911.pdf'), '%PDF-1.7 cut off');
const crawler = spawn(
  process.execPath,
  [
    resolve('bin/crawler.js'),
    documents,
    '--config_dir',
    join(home, 'jobs'),
    '--rest',
    '--set',
    'rest.url=http://127.0.0.1:0',
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  const address = await printed(/Search page: (\S+)/);
  await printed(/indexed \[\d+\]/);
  mkdirSync(FOLDER, { recursive: true });
  const page = await browser.newPage({ viewport: SIZE });
  await page.goto(`${address}?q=lighthouse`);
  await page.waitForSelector('.hits mark');
  // The first hit is a picture.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.text mark');
  await take(page, 'search');
  await page.goto(`${address}operator`);
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('Index equals tree').first().waitFor();
  await page.getByRole('button', { name: 'What would it do?' }).click();
  await page.getByText('corrupt').first().waitFor();
  // Some moments of the rate's line.
  await page.waitForTimeout(12_000);
  await take(page, 'operator');
} finally {
  await browser.close();
  crawler.kill('SIGTERM');
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

async function take(page, name) {
  const path = join(FOLDER, `${name}.png`);
  await page.screenshot({ path });
  const { size } = statSync(path);
  if (size > MOST_BYTES) throw new Error(`[${path}] has ${size} bytes, of ${MOST_BYTES} allowed.`);
  console.log(`${path}  ${size} bytes`);
}

async function printed(pattern) {
  let text = (crawler.text ??= '');
  for (;;) {
    const found = pattern.exec(text);
    if (found !== null) return found[1] ?? found[0];
    await new Promise((later) => crawler.stdout.once('data', (chunk) => later((crawler.text += chunk))));
    text = crawler.text;
  }
}
