// npm run bench:web [-- --documents 1000000] [--only status]
//
// The search of people, its page and the MCP server, in the real program over the embedded index: what a search of the page
// costs, the sizes of the pages, the status while pages are open, and what they cost a crawl. Figures for docs/web.md.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { crawler, dist, report } from './measure.mjs';
import { makeTexts, makeTextTree } from './text-tree.mjs';

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '100000' }, only: { type: 'string' } },
});
const DOCUMENTS = Number(values.documents);
const INDEX = 'bench_docs';
const work = mkdtempSync(join(tmpdir(), 'crawler-bench-web-'));
const children = new Set();
const load = (path) => import(new URL(path, dist).href);

/** What the operator's page asks for, and how often while a scan is running (ms). */
const OPERATOR = [
  ['_crawler/status', 2000],
  ['_crawler/verify', 2000],
  ['_crawler/history', 5000],
  ['_health', 10_000],
];

/** Asks what a page asks, as often as it does. */
class OpenPage {
  #isOpen = true;
  #latencies = [];
  #loops;

  constructor(url, asked = OPERATOR) {
    this.#loops = asked.map(([path, ms]) => this.#loop(`${url}/${path}`, ms));
  }

  /** Resolves with the milliseconds of each status. */
  async close() {
    this.#isOpen = false;
    await Promise.all(this.#loops);
    return this.#latencies;
  }

  async #loop(url, everyMs) {
    for (let next = performance.now() + Math.random() * everyMs; this.#isOpen;) {
      if (performance.now() < next) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        continue;
      }
      next = performance.now() + everyMs;
      const [ms] = await timed(() => ask(url));
      if (url.endsWith('status')) this.#latencies.push(ms);
    }
  }
}

const benches = { weights, searches, status, crawl };
try {
  for (const [name, bench] of Object.entries(benches)) {
    if (values.only !== undefined && values.only !== name) continue;
    console.log(`${name}: ${cpus().length} cores, load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}`);
    await bench();
  }
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(work, { recursive: true, force: true });
}

/** What a browser loads, compressed as a proxy does it. */
async function weights() {
  const folder = new URL('web/', dist);
  const files = readdirSync(folder);
  const kilobytes = (...names) =>
    names.reduce((sum, name) => {
      const file = files.find((each) => each.startsWith(name));
      return sum + gzipSync(readFileSync(new URL(file, folder)), { level: 9 }).length / 1000;
    }, 0);
  report('search page, scripts', kilobytes('search-', 'shared-'), 25, ' kB');
  report('operator page, scripts', kilobytes('operator-', 'shared-'), 30, ' kB');
  report('style', kilobytes('style-'), 7, ' kB');
  report('each page itself', Math.max(kilobytes('index.html'), kilobytes('operator.html')), 2, ' kB');
}

async function searches() {
  const config = join(work, 'config');
  const seconds = await fill(join(config, 'bench'), DOCUMENTS);
  report(`${DOCUMENTS} documents of 2 KB written`, seconds, undefined, ' s');
  const service = await startService(config, ['bench', '--loop', '0'], ['rest.mcp=on']);
  const find = (query) => ask(`${service.url}/_find?${query}`);
  const facets = (query) => ask(`${service.url}/_find/facets?${query}`);
  await find('q=harbour');
  await percentile('a word in 100 documents', 100, 30, () => find('q=rareword'));
  await percentile('a word in 1 % of the documents', 300, 20, () => find('q=uncommonword'));
  await percentile('a word in half of the documents', 2500, 8, () => find('q=commonword'));
  await percentile('newest of all documents', 1500, 8, () => find('sort=newest'));
  await deepPages(find);
  await percentile('facets of 1 % of the documents', 500, 5, () => facets('q=uncommonword'));
  await percentile('facets of all documents', 6000, 3, () => facets(''));
  const { hits } = await find('q=longword');
  const text = `${service.url}/_document/${hits[0].id}/text?q=longword&from=`;
  let from = 0;
  await percentile('20,000 of 100,000 characters of a text, marked', 150, 15, () => ask(`${text}${(from += 1)}`));
  await assistants(service);
  await stopService(service);
}

/** Page after page: the fiftieth against the first. */
async function deepPages(find) {
  let after = '';
  const times = [];
  for (let page = 0; page < 50; page += 1) {
    const [ms, { next }] = await timed(() => find(`q=uncommonword&size=10&after=${after}`));
    times.push(ms);
    after = next ?? after;
  }
  report(
    'the last ten of 50 pages against the ten after the first',
    sum(times.slice(-10)) / sum(times.slice(1, 11)),
    1.5,
  );
}

/** Search over MCP against `_find`, in turns; and what a thousand calls leave behind. */
async function assistants(service) {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)));
  const search = () => client.callTool({ name: 'search', arguments: { query: 'rareword', limit: 20 } });
  await search();
  const [over, direct] = [[], []];
  for (let at = 0; at < 50; at += 1) {
    over.push((await timed(search))[0]);
    direct.push((await timed(() => ask(`${service.url}/_find?q=rareword&size=20`)))[0]);
  }
  report('search over MCP, p95', p(over, 0.95), undefined, ' ms');
  report('  against GET /_find', p(over, 0.95) / p(direct, 0.95), undefined);
  await client.close();
}

/** Twenty operator pages beside a crawl, a check and uploads, against as many requests for the status alone. */
async function status() {
  const tree = join(work, 'tree');
  makeTextTree(tree, { files: 20_000, perFolder: 100 });
  const open = {
    alone: (url) => [new OpenPage(url, [['_crawler/status', 100]])],
    watched: (url) => Array.from({ length: 20 }, () => new OpenPage(url)),
  };
  const p99 = {};
  for (const [kind, pagesOf] of Object.entries(open)) {
    const service = await startService(join(work, `status-${kind}`), [tree, '--loop', '1'], ['rest.verify_rate=-1']);
    const pages = pagesOf(service.url);
    await fetch(`${service.url}/_crawler/verify`, { method: 'POST' });
    for (const [at, text] of makeTexts(400, 2048).entries()) await upload(service.url, `upload-${at}.txt`, text);
    const latencies = (await Promise.all(pages.map((page) => page.close()))).flat();
    p99[kind] = p(latencies, 0.99);
    await stopService(service);
  }
  report('status beside a crawl, a check and uploads: p99', p99.alone, undefined, ' ms');
  report('  with 20 operator pages open', p99.watched, 50, ' ms');
  report('  against without', p99.watched / p99.alone, undefined);
}

async function upload(url, name, text) {
  const form = new FormData();
  form.append('file', new Blob([text]), name);
  await (await fetch(`${url}/_document`, { method: 'POST', body: form })).text();
}

/** The same crawl with and without an operator's page, in turns. */
async function crawl() {
  const tree = join(work, 'crawled');
  makeTextTree(tree, { files: 10_000, perFolder: 100 });
  const rates = { alone: [], watched: [] };
  for (let round = 0; round < 3; round += 1) {
    for (const kind of round % 2 === 0 ? ['alone', 'watched'] : ['watched', 'alone']) {
      const config = join(work, `crawl-${kind}-${round}`);
      const start = performance.now();
      const service = await startService(config, [tree, '--loop', '1'], ['rest.verify_rate=-1']);
      const page = kind === 'watched' ? new OpenPage(service.url) : undefined;
      await service.printed(/indexed \[/);
      rates[kind].push(10_000 / ((performance.now() - start) / 1000));
      await page?.close();
      await stopService(service);
    }
  }
  const middle = (list) => list.sort((a, b) => a - b)[1];
  report('crawl beside nothing', middle(rates.alone), undefined, ' files/s');
  report('  with an operator page open, lost', (1 - middle(rates.watched) / middle(rates.alone)) * 100, 3, ' %');
}

/** Writes the documents into the index of a job without a crawl; words of known frequency are in them. */
async function fill(directory, count) {
  mkdirSync(directory, { recursive: true });
  const { EmbeddedEngine } = await load('engine/embedded/embedded-engine.js');
  const { silentLogger: logger } = await load('base/logger.js');
  const engine = new EmbeddedEngine({ directory, baseUrl: () => undefined, version: 'bench', logger });
  const { signal } = new AbortController();
  await engine.prepare(signal);
  const texts = makeTexts(5000, 2000);
  const start = performance.now();
  for (let at = 0; at < count;) {
    const batch = [];
    for (; batch.length < 500 && at < count; at += 1) batch.push(operation(at, count, texts));
    const outcomes = await engine.write(batch, signal);
    const failed = outcomes.find(({ ok }) => !ok);
    if (failed !== undefined) throw new Error(JSON.stringify(failed));
  }
  const seconds = (performance.now() - start) / 1000;
  await engine.close();
  return seconds;
}

function operation(at, count, texts) {
  const words = [
    ...(at % Math.floor(count / 100) === 0 ? ['rareword'] : []),
    ...(at % 100 === 0 ? ['uncommonword'] : []),
    ...(at % 2 === 0 ? ['commonword'] : []),
  ];
  const long = at === 7 ? `longword ${'longword and other words '.repeat(4000)}`.slice(0, 100_000) : '';
  const name = `file-${at}.txt`;
  const virtual = `/folder-${at % 50}/${name}`;
  const document = {
    content: long === '' ? `${words.join(' ')} ${texts[at % texts.length]}` : long,
    file: {
      filename: name,
      extension: 'txt',
      content_type: 'text/plain; charset=UTF-8',
      filesize: 2000 + (at % 1000),
      last_modified: new Date(1.6e12 + at * 60_000).toISOString(),
      indexing_date: new Date(1.7e12).toISOString(),
    },
    meta: { author: `Author ${at % 20}`, language: 'en' },
    path: { real: `/data${virtual}`, virtual, root: `root-${at % 50}` },
  };
  return { kind: 'index', index: INDEX, id: `d${at}`, document };
}

async function startService(config, args, settings) {
  const set = ['rest.url=http://127.0.0.1:0', `engine.index=${INDEX}`, 'fs.update_rate=1h', ...settings];
  const options = ['--rest', '--config_dir', config, ...set.flatMap((each) => ['--set', each])];
  const child = spawn(process.execPath, [crawler, ...args, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const printed = (pattern) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(output);
        if (found !== null) resolve(found);
      };
      look();
      child.stdout.on('data', look);
      child.on('close', (code) => reject(new Error(`The service ended with ${code}:\n${output}`)));
    });
  const [, url] = await printed(/Rest service started on \[([^\]]+)\]/);
  return { child, url, printed };
}

async function stopService({ child }) {
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  const code = await ended;
  children.delete(child);
  if (code !== 0) throw new Error(`The service ended with ${code}`);
}

async function ask(url) {
  const answer = await (await fetch(url)).json();
  if (answer.ok === false) throw new Error(`${url}: ${answer.message}`);
  return answer;
}

async function percentile(name, limit, times, work) {
  const all = [];
  for (let at = 0; at < times; at += 1) all.push((await timed(work))[0]);
  report(`${name}, p95 of ${times}`, p(all, 0.95), limit, ' ms');
}

async function timed(work) {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}

function p(list, share) {
  return list.sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))];
}

function sum(list) {
  return list.reduce((total, each) => total + each, 0);
}
