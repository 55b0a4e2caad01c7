// npm run bench:web [-- --documents 1000000] [--only status] [--keep /tmp/bench-web]
//
// The search of people, its page and the MCP server, in the real program over the embedded index: what a search of the page
// costs, the sizes of the pages, the status while pages are open, and what they cost a crawl. Figures for docs/web.md. With
// --keep, the index stays in that folder and is used again.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { crawler, dist, measure, report, residentBytes, runCrawler } from './measure.mjs';
import { makeTexts, makeTextTree } from './text-tree.mjs';
import { p, percentilesOf, processorMs, sum, timed } from './web/figures.mjs';
import { fill, INDEX } from './web/index-of-texts.mjs';
import { OpenPage, OPERATOR } from './web/open-page.mjs';
import { ask, killServices, startBare, startService, stopService } from './web/service.mjs';

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '100000' }, only: { type: 'string' }, keep: { type: 'string' } },
});
const DOCUMENTS = Number(values.documents);
/** Of each document's text: a million are to fit on the disk of a laptop. */
const KILOBYTES = DOCUMENTS > 200_000 ? 1 : 2;
const work = mkdtempSync(join(tmpdir(), 'crawler-bench-web-'));

/** A client may call 120 times a minute: these are several. */
const CLIENTS = ['first', 'second', 'third'];

const benches = { weights, searches, originals, assistants, stdio, status, crawl };
try {
  for (const [name, bench] of Object.entries(benches)) {
    if (values.only !== undefined && values.only !== name) continue;
    console.log(`${name}: ${cpus().length} cores, load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}`);
    await bench();
  }
} finally {
  killServices();
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

/** The service over the index of all documents, which is written for the first that needs it. */
async function startSearched(settings = []) {
  const config = values.keep ?? join(work, 'config');
  if (!existsSync(config)) {
    const seconds = await fill(join(config, 'bench'), DOCUMENTS, KILOBYTES);
    report(`${DOCUMENTS} documents of ${KILOBYTES} KB written`, seconds, undefined, ' s');
  }
  return await startService(config, ['bench', '--loop', '0'], [`engine.index=${INDEX}`, 'rest.mcp=on', ...settings]);
}

async function searches() {
  const service = await startSearched();
  const find = (query) => ask(`${service.url}/_find?${query}`);
  const facets = (query) => ask(`${service.url}/_find/facets?${query}`);
  const percentile = percentilesOf(service);
  await find('q=harbour');
  await percentile('a word in 100 documents', 100, 30, () => find('q=rareword'));
  await percentile('a word in 1 % of the documents', 300, 20, () => find('q=uncommonword'));
  await percentile('a word in half of the documents', 2500, 8, () => find('q=commonword'));
  await percentile('newest of all documents', 1500, 8, () => find('sort=newest'));
  await deepPages(find);
  await percentile('facets of 1 % of the documents', 500, 8, () => facets('q=uncommonword'));
  await percentile('facets of all documents', 6000, 5, () => facets(''));
  await percentile('suggestions for a word of none and one of half', 2000, 5, () =>
    ask(`${service.url}/_find/suggestions?q=commonword+missingword&type=text`),
  );
  const { hits } = await find('q=longword');
  const text = `${service.url}/_document/${hits[0].id}/text?q=longword&from=`;
  let from = 0;
  await percentile('20,000 of 100,000 characters of a text, marked', 150, 15, () => ask(`${text}${(from += 1)}`));
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

/** A file of 5 GB as the page gives it: what the service needs for it beyond what it needs anyway. */
async function originals() {
  const tree = join(work, 'large');
  mkdirSync(tree);
  writeFileSync(join(tree, 'large.bin'), '');
  truncateSync(join(tree, 'large.bin'), 5e9);
  const settings = ['fs.index_content=false', 'fs.ignore_above=10gb', 'rest.verify_rate=-1'];
  const service = await startService(join(work, 'large-config'), [tree, '--loop', '1'], settings);
  await service.printed(/indexed \[/);
  const { hits } = await ask(`${service.url}/_find?q=name:large.bin`);
  const read = async (headers) => {
    let bytes = 0;
    const answer = await fetch(`${service.url}/_document/${hits[0].id}/original`, { headers });
    for await (const chunk of answer.body) {
      bytes += chunk.length;
      most = Math.max(most, residentBytes(service.child.pid));
    }
    return bytes;
  };
  let most = 0;
  await read({ range: 'bytes=0-99999999' });
  const before = residentBytes(service.child.pid);
  most = before;
  const bytes = await read({});
  if (bytes !== 5e9) throw new Error(`${bytes} bytes came`);
  report('a file of 5 GB, memory beyond that of 100 MB', (most - before) / 1e6, 30, ' MB');
  await stopService(service);
}

/**
 * Search over MCP against `_find`: what the official client has sent is sent again, so that its own work does not count. One after
 * the other for the time that passes, which other work on the machine changes for both alike, and in blocks for that of the processor.
 */
async function assistants() {
  const service = await startSearched([`rest.read_keys=${CLIENTS}`]);
  const call = await sentByClient(service.url);
  const [find, search] = [`${service.url}/_find?q=rareword&size=20`, `${service.url}/mcp`];
  const asks = {
    over: async (authorization) => {
      const { headers, ...rest } = call;
      const { result } = await (await fetch(search, { ...rest, headers: { ...headers, authorization } })).json();
      if (result.structuredContent.results.length !== 20) throw new Error(JSON.stringify(result));
    },
    direct: async (authorization) => {
      const { hits } = await (await fetch(find, { headers: { authorization } })).json();
      if (hits.length !== 20) throw new Error(JSON.stringify(hits));
    },
  };
  const [times, cost] = [
    { over: [], direct: [] },
    { over: 0, direct: 0 },
  ];
  const alternately = async (count, client, note) => {
    for (let at = 0; at < count; at += 1)
      for (const [name, work] of Object.entries(asks)) note(name, (await timed(() => work(client)))[0]);
  };
  const [first, ...others] = CLIENTS.map((key) => `Bearer ${key}`);
  await alternately(15, first, () => undefined);
  for (let block = 0; block < 10; block += 1) {
    for (const [name, work] of Object.entries(asks)) {
      const before = processorMs(service.child.pid);
      for (let at = 0; at < 10; at += 1) await work(first);
      cost[name] += processorMs(service.child.pid) - before;
    }
  }
  for (const client of others) await alternately(110, client, (name, ms) => times[name].push(ms));
  report('search over MCP, p95', p(times.over, 0.95), undefined, ' ms');
  report('  against GET /_find', p(times.over, 0.95) / p(times.direct, 0.95), 1.3);
  report('  the same for the median', p(times.over, 0.5) / p(times.direct, 0.5), 1.3);
  report('  the same in processor time', cost.over / cost.direct, 1.3);
  await stopService(service);
}

/** The request of the official client for a search. */
async function sentByClient(url) {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  let sent;
  const noted = (address, init) => {
    sent = init;
    return fetch(address, init);
  };
  const headers = { authorization: `Bearer ${CLIENTS[0]}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { fetch: noted, requestInit: { headers } }),
  );
  await client.callTool({ name: 'search', arguments: { query: 'rareword', limit: 20 } });
  await client.close();
  return { method: 'POST', body: sent.body, headers: Object.fromEntries(sent.headers) };
}

/** From the start of `crawler mcp` until a client is connected, with an empty program of Node beside it. */
async function stdio() {
  const tree = join(work, 'stdio');
  makeTextTree(tree, { files: 100, perFolder: 100 });
  const config = join(work, 'stdio-config');
  await runCrawler([tree, '--loop', '1', '--config_dir', config]);
  const all = { ready: [], node: [] };
  for (let at = 0; at < 7; at += 1) {
    all.node.push((await measure(process.execPath, ['-e', '0'])).seconds * 1000);
    const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const args = [crawler, 'mcp', tree, '--config_dir', config];
    const start = performance.now();
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    all.ready.push(performance.now() - start);
    await client.close();
  }
  report('crawler mcp ready over stdio, median of 7', p(all.ready, 0.5), 1500, ' ms');
  report('  node -e 0 in the same run', p(all.node, 0.5), undefined, ' ms');
  report('  times node -e 0', p(all.ready, 0.5) / p(all.node, 0.5), undefined);
}

/**
 * Twenty operator pages beside a crawl, a check and uploads, against as many requests for the status alone. A server of Node that
 * does nothing but answer is asked as often at the same time: what it needs is what the machine makes anybody wait.
 */
async function status() {
  const tree = join(work, 'tree');
  makeTextTree(tree, { files: 40_000, perFolder: 100 });
  const open = {
    alone: (url) => [new OpenPage(url, [['_crawler/status', 100]])],
    watched: (url) => Array.from({ length: 20 }, () => new OpenPage(url)),
  };
  const texts = makeTexts(400, 2048);
  const bare = await startBare();
  const p99 = {};
  for (const [kind, pagesOf] of Object.entries(open)) {
    const service = await startService(join(work, `status-${kind}`), [tree, '--loop', '1'], ['rest.verify_rate=-1']);
    // What answers is loaded by then, as it is in a service whose pages have been open for a while.
    for (const [path] of OPERATOR) await ask(`${service.url}/${path}`);
    const pages = pagesOf(service.url);
    const yardstick = new OpenPage(bare.url, [['status', 100]]);
    await fetch(`${service.url}/_crawler/verify`, { method: 'POST' });
    let crawls = true;
    const crawled = service.printed(/indexed \[/).then(() => (crawls = false));
    for (let at = 0; crawls; at += 1) await upload(service.url, `upload-${at}.txt`, texts[at % texts.length]);
    await crawled;
    const latencies = (await Promise.all(pages.map((page) => page.close()))).flat();
    const waits = await yardstick.close();
    p99[kind] = p(latencies, 0.99);
    report(
      `status beside a crawl, a check and uploads, ${kind}: p99 of ${latencies.length}`,
      p99[kind],
      kind === 'watched' ? 50 : undefined,
      ' ms',
    );
    report('  the median', p(latencies, 0.5), undefined, ' ms');
    report('  a bare server of Node at the same time: p99', p(waits, 0.99), undefined, ' ms');
    report('  beyond what a bare server needs: p99', p99[kind] - p(waits, 0.99), 50, ' ms');
    await stopService(service);
  }
  report('status with 20 operator pages open, against without', p99.watched / p99.alone, undefined);
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
