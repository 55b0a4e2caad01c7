// npm run bench:rest [-- --only texts]
//
// Speed and memory of the REST service, in the real program: the service is one process, its callers are another
// (rest-load.mjs). Rates are also given as a ratio to the same documents pushed through the ingester in this process.
import { fork, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeBulkyDocuments } from './bulky-documents.mjs';
import { crawler, dist, median, report, reportAtLeast, residentBytes } from './measure.mjs';
import { makeTexts, makeTextTree } from './text-tree.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    // Writes a CPU profile of the service into this folder.
    profile: { type: 'string' },
  },
});
const CLIENTS = 8;
const ROUNDS = Number(values.rounds);
const work = mkdtempSync(join(tmpdir(), 'crawler-bench-'));
const children = new Set();
const load = (path) => import(new URL(path, dist).href);

const benches = { texts, bulky, large, connections, status };
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

async function texts() {
  const service = await startService('texts');
  const caller = startCaller();
  await uploads(service, caller, { clients: CLIENTS, count: 500, prefix: 'warm' });
  const alone = await inProcess('texts-alone');
  const contents = makeTexts(3000, 2048).map((text) => Buffer.from(text));
  await alone.ingest(contents.slice(0, 500), '.txt');
  // Taken in turns, so that what else the machine does meets both.
  const direct = [];
  const eight = await median(ROUNDS, async (at) => {
    direct.push(await alone.ingest(contents, '.txt'));
    return await uploads(service, caller, { clients: CLIENTS, count: 3000, prefix: `eight-${at}` });
  });
  const one = await median(ROUNDS, (at) => uploads(service, caller, { clients: 1, count: 1000, prefix: `one-${at}` }));
  reportAtLeast('texts of 2 KB, 8 clients', eight.perSecond, 1000, '/s');
  report('  slowest percent', eight.p99, undefined, ' ms');
  report('  the ingester in-process', middle(direct), undefined, '/s');
  reportAtLeast('  rate against the ingester in-process', eight.perSecond / middle(direct), 0.8);
  const empty = await median(ROUNDS, () => caller.ask('empty', { url: service.url, count: 1000 }));
  reportAtLeast('texts of 2 KB, 1 client', one.perSecond, 250, '/s');
  report('  latency against an empty POST', 1 / one.perSecond / empty.seconds, 3);
  await alone.close();
  await stopService(service);
  caller.end();
}

async function bulky() {
  const files = writeBulkyDocuments(work);
  for (const [kind, path] of Object.entries(files)) {
    const service = await startService(kind);
    const caller = startCaller();
    await uploads(service, caller, { clients: CLIENTS, count: 50, prefix: 'warm', path });
    const alone = await inProcess(`${kind}-alone`);
    const contents = Array.from({ length: 300 }, () => path);
    await alone.ingest(contents.slice(0, 50), extname(path));
    const direct = [];
    const result = await median(ROUNDS, async (at) => {
      direct.push(await alone.ingest(contents, extname(path)));
      return await uploads(service, caller, { clients: CLIENTS, count: 300, prefix: `eight-${at}`, path });
    });
    const size = Math.round(statSync(path).size / 1000);
    reportAtLeast(`${kind} of ${size} KB, 8 clients`, result.perSecond, 100, '/s');
    reportAtLeast('  rate against the ingester in-process', result.perSecond / middle(direct), 0.9);
    await alone.close();
    await stopService(service);
    caller.end();
  }
}

async function large() {
  const service = await startService('large');
  const caller = startCaller();
  await uploads(service, caller, { clients: CLIENTS, count: 500, prefix: 'warm' });
  const before = residentBytes(service.pid);
  const memory = watchMemory(service.pid);
  const { fault, seconds } = await caller.ask('large', { url: service.url, bytes: 1e9 });
  const most = memory.stop();
  if (fault !== undefined) throw new Error(`The large upload failed: ${fault}`);
  service.expected += 1;
  report('upload of 1 GB', seconds, undefined, ' s');
  report('  memory of the service grows by', (most - before) / 1e6, 100, ' MB');
  await stopService(service);
  caller.end();
}

async function connections() {
  const service = await startService('connections');
  const [idle, caller] = [startCaller(), startCaller()];
  await uploads(service, caller, { clients: CLIENTS, count: 500, prefix: 'warm' });
  const before = residentBytes(service.pid);
  const memory = watchMemory(service.pid);
  await idle.ask('idle', { url: service.url, connections: 1000 });
  const result = await uploads(service, caller, { clients: 64, count: 3000, prefix: 'many' });
  const most = memory.stop();
  const open = await idle.ask('release');
  report('connections lost of 1,000 idle ones', 1000 - open, 0);
  report('uploads failed of 3,000 by 64 clients beside them', 0, 0);
  report('  uploads per second', result.perSecond, undefined, '/s');
  report('  slowest percent', result.p99, undefined, ' ms');
  report('  memory of the service grows by', (most - before) / 1e6, 100, ' MB');
  await stopService(service);
  idle.end();
  caller.end();
}

/** The event loop must stay free while the same process crawls and takes uploads. */
async function status() {
  const tree = join(work, 'tree');
  makeTextTree(tree, { files: 20_000, perFolder: 100 });
  const service = await startService('status', [tree, '--loop', '1']);
  const [probe, caller] = [startCaller(), startCaller()];
  const probing = probe.ask('probe', { url: service.url });
  const result = await uploads(service, caller, { clients: CLIENTS, count: 3000, prefix: 'during' });
  const { state } = await getJson(`${service.url}/_crawler/status`);
  await probe.ask('stop');
  const answers = await probing;
  report(`status during 3,000 uploads and a crawl (${state} at the end): p99`, answers.p99, 50, ' ms');
  report(`  slowest of ${answers.count}`, answers.most, undefined, ' ms');
  report('  uploads per second', result.perSecond, undefined, '/s');
  service.expected = undefined;
  await stopService(service);
  probe.end();
  caller.end();
}

async function startService(name, args = [work, '--loop', '0']) {
  const options = ['--rest', '--config_dir', join(work, `config-${name}`), '--set', 'rest.url=http://127.0.0.1:0'];
  const set = ['--set', 'engine.index=bench', '--set', `fs.temp_dir=${join(work, `spool-${name}`)}`];
  const profile = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(values.profile, name)}`];
  const child = spawn(process.execPath, [...profile, crawler, ...args, ...options, ...set], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  const url = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const found = /Rest service started on \[([^\]]+)\]/.exec(output);
      if (found !== null) resolve(found[1]);
    });
    child.on('close', (code) => reject(new Error(`The service ended with ${code}:\n${output}`)));
  });
  return { child, pid: child.pid, url, expected: 0 };
}

/** Every document must be in the index, and the service must end well. */
async function stopService({ child, url, expected }) {
  const { count } = await getJson(`${url}/_engine/bench/_count`);
  if (expected !== undefined && count !== expected) throw new Error(`${count} documents in the index, not ${expected}`);
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  const code = await ended;
  children.delete(child);
  if (code !== 0) throw new Error(`The service ended with ${code}`);
}

function startCaller() {
  const child = fork(fileURLToPath(new URL('./rest-load.mjs', import.meta.url)));
  children.add(child);
  let asked = 0;
  return {
    ask: (task, options = {}) =>
      new Promise((resolve, reject) => {
        const number = (asked += 1);
        child.on('message', function hear({ answered, result, error }) {
          if (answered !== number) return;
          child.off('message', hear);
          if (error === undefined) resolve(result);
          else reject(new Error(error));
        });
        child.send({ number, task, options });
      }),
    end: () => {
      children.delete(child);
      child.disconnect();
    },
  };
}

async function uploads(service, caller, options) {
  const result = await caller.ask('uploads', { url: service.url, ...options });
  if (result.failures.length > 0) throw new Error(`${result.failures.length} uploads failed: ${result.failures[0]}`);
  service.expected += options.count;
  return result;
}

async function getJson(url) {
  return await (await fetch(url)).json();
}

function watchMemory(pid) {
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, residentBytes(pid))), 20);
  return {
    stop: () => {
      clearInterval(timer);
      return most;
    },
  };
}

/** The ingester and all below it, as the program builds them. `ingest` resolves with documents per second. */
async function inProcess(name) {
  const directory = join(work, name);
  mkdirSync(directory);
  const { loadSettings } = await load('settings/load-settings.js');
  const { silentLogger: logger } = await load('base/logger.js');
  const { ExtractionPool } = await load('extract/runtime/pool/extraction-pool.js');
  const { EmbeddedEngine } = await load('engine/embedded/embedded-engine.js');
  const { BulkWriter } = await load('ingest/bulk-writer.js');
  const { DocumentBuilder } = await load('ingest/document-builder.js');
  const { DocumentRules } = await load('ingest/document-rules.js');
  const { DocumentIngester } = await load('ingest/ingester.js');
  const { openPasswords } = await load('passwords/registry.js');
  const { Spool } = await load('source/spool.js');
  const { settings } = loadSettings({
    configDir: directory,
    job: 'bench',
    env: {},
    overrides: [],
    fsJavaOpts: undefined,
  });
  const engine = new EmbeddedEngine({ directory, baseUrl: () => undefined, version: 'bench', logger });
  const { signal } = new AbortController();
  await engine.prepare(signal);
  const extractor = new ExtractionPool({ size: cpus().length, logger });
  const writer = new BulkWriter({ engine, ...settings.engine, logger });
  const rules = new DocumentRules(settings, undefined);
  const builder = new DocumentBuilder({
    rules,
    extractor,
    passwords: openPasswords(settings, logger),
    spool: new Spool(directory, 'crawl'),
    now: Date.now,
    logger,
  });
  const ingester = new DocumentIngester({ rules, builder, engine, writer, documentLog: logger });
  let batch = 0;
  return {
    async ingest(contents, ending) {
      batch += 1;
      const items = contents.map((content, at) => itemOf(content, `${batch}-${at}${ending}`));
      const next = items.values();
      const start = performance.now();
      await Promise.all(
        Array.from({ length: CLIENTS }, async () => {
          for (const item of next) {
            const { status, problem } = await ingester.ingest(item, signal);
            if (status !== 'indexed' || problem !== undefined) throw new Error(problem?.message ?? status);
          }
        }),
      );
      return (contents.length * 1000) / (performance.now() - start);
    },
    async close() {
      await writer.close(1000);
      await extractor.close();
      await engine.close();
    },
  };
}

/** What an upload becomes: bytes in memory, or the path of a file. */
function itemOf(content, name) {
  const isPath = typeof content === 'string';
  return {
    entry: { name, path: name, kind: 'file', size: isPath ? statSync(content).size : content.length },
    content: isPath ? { kind: 'path', path: content } : { kind: 'bytes', bytes: content },
    place: { filename: name, real: name, virtual: name },
    origin: 'rest',
  };
}

function middle(numbers) {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
