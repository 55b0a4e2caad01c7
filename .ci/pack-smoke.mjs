// Installs the packed program as a person would and uses it: `node .ci/pack-smoke.mjs <tarball>`. Needs Node, npm and the
// registry, nothing of the checkout, so that it can run on any system. The Node that runs this file runs the program too.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const MOST_PACKAGES = 6;
const MOST_BYTES = 3_500_000;
const isWindows = process.platform === 'win32';

const tarball = resolve(process.argv[2]);
// A name that breaks what is not quoted.
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'päck #1 smoke ')));
const home = join(folder, 'home');
const documents = join(folder, 'documents');
const program = join(folder, 'node_modules', 'document-crawler', 'lib', 'crawler.js');
const env = { ...process.env, HOME: home, USERPROFILE: home, NODE_OPTIONS: '', NO_COLOR: '1' };

try {
  await step('install', install);
  await step('commands', commands);
  await step('crawl', crawl);
  await step('service', service);
  console.log(`The package works with Node ${process.versions.node} on ${process.platform} ${process.arch}.`);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

async function step(name, work) {
  const started = performance.now();
  await work();
  console.log(`${name.padEnd(10)} ok  ${Math.round(performance.now() - started)} ms`);
}

async function install() {
  mkdirSync(home);
  assert.ok(readFileSync(tarball).length <= MOST_BYTES, `the tarball is larger than ${MOST_BYTES} bytes`);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const npm = isWindows ? 'npm.cmd' : 'npm';
  const args = ['install', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', tarball];
  await finished(npm, args, { cwd: folder, shell: isWindows });
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const packages = Object.keys(lock.packages).filter((path) => path !== '');
  assert.ok(packages.length <= MOST_PACKAGES, `too many packages: ${packages}`);
  const bins = readdirSync(join(folder, 'node_modules', '.bin')).filter((name) => name.startsWith('crawler'));
  assert.ok(bins.length > 0, 'there is no program [crawler]');
}

async function commands() {
  const { version } = JSON.parse(readFileSync(join(folder, 'node_modules/document-crawler/package.json'), 'utf8'));
  assert.equal((await crawler('--version')).trim(), version);
  assert.match(await crawler('--help'), /Usage: crawler/);
  assert.match(await crawler('--list'), /No job/);
  assert.match(await crawler('smoke', '--setup'), /Created job \[smoke\]/);
  assert.match(await crawler('--list'), /smoke/);
  assert.match(await crawler('help', 'settings'), /# Settings/);
  assert.match(await crawler('generate', 'man'), /^\.TH CRAWLER 1/m);
}

async function crawl() {
  const examples = join(folder, 'node_modules/document-crawler/examples/documents');
  // Outside of node_modules, as a person's documents are.
  const { cpSync } = await import('node:fs');
  cpSync(examples, documents, { recursive: true });
  const count = readdirSync(documents, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).length;
  assert.match(await crawler(documents, '--loop', '1'), new RegExp(`indexed \\[${count}\\]`));
  assert.match(await crawler(documents, '--loop', '1'), /indexed \[0\]/);
  const hits = jsonLines(await crawler('search', documents, '"keeper lights the lamp"', '--json'));
  assert.ok(
    hits.some(({ source }) => source.file.extension === 'pdf'),
    'the PDF is not found by its text',
  );
  const pdf = join(documents, 'handbook', 'lighthouse-keepers-handbook.pdf');
  assert.match(await crawler('why', pdf), /indexed/);
  assert.match(await crawler('extract', pdf), /lighthouse/i);
  await crawler('verify', documents);
  await crawler('failures', documents);
  assert.match(await crawler('doctor', documents), new RegExp(`Node ${process.versions.node}`));
}

async function service() {
  const args = [documents, '--rest', '--set', 'rest.url=http://127.0.0.1:0'];
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  const ended = new Promise((done) => child.on('close', (code, signal) => done({ code, signal })));
  const url = await until(() => /Rest service started on \[([^\]]+)\]/.exec(printed)?.[1]);
  const form = new FormData();
  form.append('file', new Blob(['A smoke signal.']), 'signal.txt');
  const upload = await fetch(`${url}/_document`, { method: 'POST', body: form });
  assert.equal((await upload.json()).ok, true);
  await until(async () => {
    const found = await (await fetch(`${url}/_search?q=signal`)).json();
    return JSON.stringify(found).includes('signal.txt');
  });
  assert.equal((await fetch(`${url}/_metrics`)).status, 200);
  child.kill('SIGTERM');
  const end = await ended;
  // Windows has no signals: the process is ended, and there is no code to compare.
  if (!isWindows) assert.deepEqual(end, { code: 0, signal: null });
}

async function until(work) {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const found = await work();
    if (found) return found;
    await sleep(50);
  }
  throw new Error(`It did not happen: ${work}`);
}

function crawler(...args) {
  return finished(process.execPath, [program, ...args]);
}

function finished(file, args, options = {}) {
  assert.ok(file !== process.execPath || existsSync(program));
  return new Promise((done, fail) => {
    execFile(file, args, { env, maxBuffer: 1e9, ...options }, (error, stdout, stderr) => {
      if (error === null) done(stdout);
      else fail(new Error(`${[file, ...args].join(' ')}: ${error.code}\n${stdout}\n${stderr}`));
    });
  });
}

function jsonLines(text) {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
