// npm run bench:engine [-- --documents 50000] [-- --files 20000] [-- --only adapter]
//
// Speed against a real OpenSearch, started for this run: the adapter against the bulk helper of the client it is built on,
// and a crawl into the server against a crawl into the embedded index. Each as a ratio, medians of three. On a machine of
// few cores a real server takes most of them for itself: the crawl into a server that takes no time (engine-sink.mjs)
// shows what is left when it stands elsewhere.
import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startOpenSearch } from '../test/engines/start-opensearch.mjs';
import { dist, report, reportAtLeast, residentBytes, runCrawler } from './measure.mjs';
import { makeTexts, makeTextTree } from './text-tree.mjs';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '50000' },
    files: { type: 'string', default: '20000' },
    only: { type: 'string' },
  },
});
const BATCH = 500;
const BYTE_SIZE = 10 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
const work = mkdtempSync(join(tmpdir(), 'crawler-bench-'));
const load = (path) => import(new URL(path, dist).href);
const { MOST_IN_FLIGHT } = await load('ingest/bulk-writer.js');
const { signal } = new AbortController();

console.log(`${cpus().length} cores, load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}`);
const server = await startOpenSearch({ home: join(work, 'server') });
const serverPid = onlyChild();
try {
  for (const [name, bench] of Object.entries({ adapter, crawl })) {
    if (values.only === undefined || values.only === name) await bench();
  }
} finally {
  await server.stop();
  rmSync(work, { recursive: true, force: true });
}

/** Ready-made documents of 2 KB through the adapter, against `client.helpers.bulk` with the same sizes. */
async function adapter() {
  const count = Number(values.documents);
  const documents = makeTexts(1000, 2000).map((content) => ({ content }));
  const documentAt = (at) => documents[at % documents.length];
  await ask('PUT', '/_index_template/bench', {
    index_patterns: ['bench-*'],
    template: { settings: { number_of_replicas: 0 } },
  });
  await viaAdapter('bench-warm-up', Math.min(count, 10_000), documentAt);
  const ours = [];
  const theirs = [];
  // In turns, so that both meet the same server.
  for (let at = 0; at < 3; at += 1) {
    theirs.push(await viaHelper(`bench-helper-${at}`, count, documentAt));
    ours.push(await viaAdapter(`bench-adapter-${at}`, count, documentAt));
  }
  report(`${count} documents through the client's bulk helper`, count / middleOf(theirs).seconds, undefined, ' /s');
  report('  through the adapter', count / middleOf(ours).seconds, undefined, ' /s');
  reportAtLeast('  adapter against bulk helper', middleOf(theirs).seconds / middleOf(ours).seconds, 0.9);
  report('  CPU of the process against the bulk helper', middleOf(ours).client / middleOf(theirs).client);
  const growth = Math.max(...ours.map(({ grownBytes }) => grownBytes));
  report('  memory of the process above the start, in byte_size', growth / BYTE_SIZE, 4);
  reportCpu(middleOf(ours));
  const { heldBytes } = await viaAdapter('bench-held', count, documentAt, { watchHeld: true });
  report('  memory in use above the start, in byte_size', heldBytes / BYTE_SIZE, 4);
}

async function viaAdapter(index, count, documentAt, options = {}) {
  const { ElasticEngine } = await load('engine/elastic/elastic-engine.js');
  const { BulkWriter } = await load('ingest/bulk-writer.js');
  const { silentLogger: logger } = await load('base/logger.js');
  const templates = { jobName: 'bench', index, indexFolder: `${index}-folder`, pushTemplates: false };
  const connection = { urls: [server.url], sslVerification: true };
  const engine = new ElasticEngine({ connection, templates, startTimeoutMs: 60_000, logger });
  await engine.prepare(signal);
  const writer = new BulkWriter({ engine, bulkSize: BATCH, byteSize: BYTE_SIZE, flushIntervalMs: 5000, logger });
  const result = await timed(async () => {
    // As a crawl does it: so many under way, each waits for its own outcome.
    const underWay = new Set();
    for (let at = 0; at < count; at += 1) {
      const written = writer
        .write({ kind: 'index', index, id: String(at), document: documentAt(at) })
        .then((outcome) => {
          if (!outcome.ok) throw new Error(outcome.message);
          underWay.delete(written);
        });
      underWay.add(written);
      if (underWay.size >= (MOST_IN_FLIGHT + 1) * BATCH) await Promise.race(underWay);
    }
    await writer.flush();
    await Promise.all(underWay);
  }, options);
  await engine.close();
  await finish(index, count);
  return result;
}

/** The client as the adapter uses it (without what OpenSearch refuses), with its own helper on top. */
async function viaHelper(index, count, documentAt) {
  const { openPlainClient } = await load('engine/elastic/plain-client.js');
  const client = await openPlainClient({ urls: [server.url], sslVerification: true });
  function* source() {
    for (let at = 0; at < count; at += 1) yield { id: String(at), document: documentAt(at) };
  }
  const result = await timed(async () => {
    const { failed } = await client.helpers.bulk({
      datasource: Readable.from(source()),
      onDocument: ({ id, document }) => [{ index: { _index: index, _id: id } }, document],
      // It counts bytes only: as many as the adapter's batches have.
      flushBytes: BATCH * Buffer.byteLength(JSON.stringify(documentAt(0))),
      concurrency: MOST_IN_FLIGHT,
    });
    if (failed > 0) throw new Error(`${failed} documents failed`);
  });
  await client.close();
  await finish(index, count);
  return result;
}

/**
 * Seconds, the CPU seconds of this process and of the server, and how much the process grew. With `watchHeld` instead, how
 * much memory was in use at most, garbage collected: that takes its time.
 */
async function timed(run, { watchHeld = false } = {}) {
  const held = () => {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const resident = () => residentBytes(process.pid);
  const sample = watchHeld ? held : resident;
  collectGarbage();
  const before = sample();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, sample())), watchHeld ? 100 : 20);
  const cpu = cpuSeconds();
  const start = performance.now();
  await run();
  const seconds = (performance.now() - start) / 1000;
  clearInterval(timer);
  return { seconds, ...cpu(), [watchHeld ? 'heldBytes' : 'grownBytes']: most - before };
}

/** CPU seconds from now on: of this process with the programs that it has run to their end, and of the server. */
function cpuSeconds() {
  const sample = () => {
    const own = cpuOf('self');
    return { client: own.itself + own.children, server: cpuOf(serverPid).itself };
  };
  const before = sample();
  return () => {
    const after = sample();
    return { client: after.client - before.client, server: after.server - before.server };
  };
}

/** Every document must be there; then the index makes room for the next one. */
async function finish(index, count) {
  await ask('POST', `/${index}/_refresh`);
  const { count: stored } = await ask('GET', `/${index}/_count`);
  if (stored !== count) throw new Error(`[${index}] holds ${stored} documents instead of ${count}`);
  await ask('DELETE', `/${index}`);
}

/** A whole crawl of small text files into the embedded index, into the server, and into one that takes no time. */
async function crawl() {
  const files = Number(values.files);
  const tree = join(work, 'tree');
  makeTextTree(tree, { files, perFolder: 100 });
  const sink = fork(fileURLToPath(new URL('./engine-sink.mjs', import.meta.url)));
  const { url: sinkUrl } = await nextMessage(sink);
  const crawlInto = async (name, at, url) => {
    const cpu = cpuSeconds();
    const engine = url === undefined ? [] : ['--set', `engine.urls=${url}`];
    const args = [tree, '--loop', '1', '--config_dir', join(work, `${name}-${at}`), ...engine];
    return { ...(await runCrawler(args)), ...cpu() };
  };
  const embedded = [];
  const intoServer = [];
  const intoSink = [];
  // In turns, so that what else the machine does meets all of them.
  for (let at = 0; at < 3; at += 1) {
    embedded.push(await crawlInto('embedded', at));
    intoServer.push(await crawlInto('server', at, server.url));
    await finish('tree_docs', files);
    await ask('DELETE', '/tree_folder');
    intoSink.push(await crawlInto('sink', at, sinkUrl));
    sink.send('count');
    const { operations } = await nextMessage(sink);
    if (operations <= files) throw new Error(`The sink got ${operations} operations for ${files} files`);
  }
  sink.disconnect();
  const [base, real, free] = [embedded, intoServer, intoSink].map(middleOf);
  report(`crawl of ${files} text files into the embedded index`, base.seconds, undefined, ' s');
  report('  CPU of the crawler', base.client, undefined, ' s');
  report('into the server', real.seconds, undefined, ' s');
  reportCpu(real);
  report('  peak memory of all processes', real.peakMb, undefined, ' MB');
  const isBottleneck = real.server > real.client;
  const why = isBottleneck ? ' (the server takes most of it)' : '';
  report(`  against embedded${why}`, real.seconds / base.seconds, isBottleneck ? undefined : 1.2);
  report('into a server that takes no time', free.seconds, undefined, ' s');
  report('  against embedded', free.seconds / base.seconds, 1.2);
  report('  CPU of the crawler against embedded', free.client / base.client, 1.2);
}

function middleOf(results) {
  return results.sort((a, b) => a.seconds - b.seconds)[Math.floor(results.length / 2)];
}

function reportCpu({ client, server: ofServer, seconds }) {
  report('  CPU of the crawler', client, undefined, ' s');
  report('  CPU of the server', ofServer, undefined, ' s');
  report('  CPU of the server, of all cores', (ofServer / seconds / cpus().length) * 100, undefined, ' %');
}

function nextMessage(child) {
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`The sink ended with ${code}`)));
  });
}

async function ask(method, path, body) {
  const init =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(server.url + path, { method, ...init });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return response.json();
}

/** CPU seconds of a process, and of those of its children that have ended. */
function cpuOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return { itself: (fields[11] + fields[12]) / 100, children: (fields[13] + fields[14]) / 100 };
}

function onlyChild() {
  const children = readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  if (children.length !== 1) throw new Error(`expected the server alone, found ${children.length} processes`);
  return children[0];
}
