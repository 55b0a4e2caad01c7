// npm run bench:engine [-- --documents 50000] [-- --files 20000] [-- --only adapter]
//
// Speed against a real OpenSearch, started for this run: the adapter against the bulk helper of the client it is built on,
// and a crawl into the server against a crawl into the embedded index. Each as a ratio, medians of three.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { startOpenSearch } from '../test/engines/start-opensearch.mjs';
import { dist, median, report, reportAtLeast, residentBytes, runCrawler } from './measure.mjs';
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
const IN_FLIGHT = 2;

const work = mkdtempSync(join(tmpdir(), 'crawler-bench-'));
const load = (path) => import(new URL(path, dist).href);
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
  const middle = (results) => results.sort((a, b) => a.seconds - b.seconds)[1];
  report(`${count} documents through the client's bulk helper`, count / middle(theirs).seconds, undefined, ' /s');
  report('  through the adapter', count / middle(ours).seconds, undefined, ' /s');
  reportAtLeast('  adapter against bulk helper', middle(theirs).seconds / middle(ours).seconds, 0.9);
  const growth = Math.max(...ours.map(({ grownBytes }) => grownBytes));
  report('  memory above the start, in byte_size', growth / BYTE_SIZE, 4);
  report('  CPU of the server, of all cores', middle(ours).serverShare * 100, undefined, ' %');
}

async function viaAdapter(index, count, documentAt) {
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
      if (underWay.size >= 3 * BATCH) await Promise.race(underWay);
    }
    await writer.flush();
    await Promise.all(underWay);
  });
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
      concurrency: IN_FLIGHT,
    });
    if (failed > 0) throw new Error(`${failed} documents failed`);
  });
  await client.close();
  await finish(index, count);
  return result;
}

/** Seconds, how much the process grew meanwhile, and the server's share of all cores. */
async function timed(run) {
  globalThis.gc?.();
  const before = residentBytes(process.pid);
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, residentBytes(process.pid))), 20);
  const serverBefore = serverCpuSeconds();
  const start = performance.now();
  await run();
  const seconds = (performance.now() - start) / 1000;
  clearInterval(timer);
  const serverShare = (serverCpuSeconds() - serverBefore) / seconds / cpus().length;
  return { seconds, grownBytes: most - before, serverShare };
}

/** Every document must be there; then the index makes room for the next one. */
async function finish(index, count) {
  await ask('POST', `/${index}/_refresh`);
  const { count: stored } = await ask('GET', `/${index}/_count`);
  if (stored !== count) throw new Error(`[${index}] holds ${stored} documents instead of ${count}`);
  await ask('DELETE', `/${index}`);
}

/** A whole crawl of small text files into the server, and of the same tree into the embedded index. */
async function crawl() {
  const files = Number(values.files);
  const tree = join(work, 'tree');
  makeTextTree(tree, { files, perFolder: 100 });
  const args = (name) => [tree, '--loop', '1', '--config_dir', join(work, name)];
  const embedded = await median(3, (at) => runCrawler(args(`embedded-${at}`)));
  const intoServer = await median(3, async (at) => {
    const before = serverCpuSeconds();
    const result = await runCrawler([...args(`server-${at}`), '--set', `engine.urls=${server.url}`]);
    const serverShare = (serverCpuSeconds() - before) / result.seconds / cpus().length;
    await finish('tree_docs', files);
    return { ...result, serverShare };
  });
  report(`crawl of ${files} text files into the embedded index`, embedded.seconds, undefined, ' s');
  report('  into the server', intoServer.seconds, undefined, ' s');
  report('  into the server against embedded', intoServer.seconds / embedded.seconds, 1.2);
  report('  peak memory of all processes', intoServer.peakMb, undefined, ' MB');
  report('  CPU of the server, of all cores', intoServer.serverShare * 100, undefined, ' %');
}

async function ask(method, path, body) {
  const init =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(server.url + path, { method, ...init });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return response.json();
}

function serverCpuSeconds() {
  const stat = readFileSync(`/proc/${serverPid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function onlyChild() {
  const children = readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  if (children.length !== 1) throw new Error(`expected the server alone, found ${children.length} processes`);
  return children[0];
}
