// npm run bench:watch [-- --files 1000000]
//
// A watched tree: what it costs to do nothing, how soon a change is found, and ten thousand changes at once. Without the
// contents of the files the first crawl is quick; what watching costs does not depend on them.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { childrenOf, crawler, familyMemoryMb, measure, report } from './measure.mjs';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '1000000' },
    perFolder: { type: 'string', default: '100' },
    program: { type: 'string', default: crawler },
  },
});
const IDLE_MS = 20_000;
const JIFFY_MS = 10;

const work = mkdtempSync(join(tmpdir(), 'crawler-bench-'));
const tree = join(work, 'tree');
const url = `http://127.0.0.1:${await freePort()}`;
const args = [values.program, tree, '--config_dir', join(work, 'config'), '--set', 'fs.index_content=false'];
try {
  makeTree(Number(values.files), Number(values.perFolder));
  await measure(process.execPath, [...args, '--loop', '1', '--silent']);
  const { child, milliseconds } = await startWatching();
  try {
    report(`start until ${values.files} files are watched and scanned`, milliseconds / 1000, undefined, ' s');
    await idle(child.pid);
    await latency();
    await burst(child.pid, 10_000);
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('close', resolve));
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

function makeTree(files, perFolder) {
  for (let at = 0; at < files; at += 1) {
    if (at % perFolder === 0) mkdirSync(folderOf(at, perFolder), { recursive: true });
    closeSync(openSync(join(folderOf(at, perFolder), `document-${at}.txt`), 'w'));
  }
}

function folderOf(at, perFolder) {
  const folder = Math.floor(at / perFolder);
  return join(tree, `g${Math.floor(folder / 100)}`, `f${folder}`);
}

async function startWatching() {
  const start = performance.now();
  const child = spawn(process.execPath, [...args, '--watch', '--rest', '--set', `rest.url=${url}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  await new Promise((resolve) => {
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      if (printed.includes('Will restart at')) resolve();
    });
  });
  for (const line of printed.split('\n')) if (/atching|Run #1/.test(line)) console.log(line);
  return { child, milliseconds: performance.now() - start };
}

/** After a while, so that what the scan used is given back. */
async function idle(pid) {
  await delay(IDLE_MS);
  const before = cpuMilliseconds(pid);
  await delay(IDLE_MS);
  report('idle: share of one core', ((cpuMilliseconds(pid) - before) / IDLE_MS) * 100, 1, ' %');
  report('idle: memory of all processes', familyMemoryMb(pid), 250, ' MB');
}

async function latency() {
  const times = [];
  for (let at = 0; at < 20; at += 1) {
    const folder = folderOf(Math.floor((Number(values.files) / 20) * at), Number(values.perFolder));
    writeFileSync(join(folder, `arrival${at}x.txt`), 'new');
    const closed = performance.now();
    while ((await countOf(`arrival${at}x`)) === 0) await delay(20);
    times.push((performance.now() - closed) / 1000);
    await delay(300);
  }
  times.sort((a, b) => a - b);
  report('closed until searchable, median of 20', times[10], undefined, ' s');
  report('closed until searchable, longest of 20', times[19], 2, ' s');
}

async function burst(pid, changes) {
  const files = Number(values.files);
  const start = performance.now();
  for (let at = 0; at < changes; at += 1) {
    writeFileSync(join(folderOf(Math.floor((files / changes) * at), Number(values.perFolder)), `burst ${at}.txt`), 'x');
  }
  const written = (performance.now() - start) / 1000;
  let peakMb = 0;
  const deadline = performance.now() + 120_000;
  while ((await countOf('burst')) < changes && performance.now() < deadline) {
    peakMb = Math.max(peakMb, familyMemoryMb(pid));
    await delay(200);
  }
  report(
    `${changes} changes in ${written.toFixed(1)} s: searchable after`,
    (performance.now() - start) / 1000,
    undefined,
    ' s',
  );
  report('  found', await countOf('burst'));
  report('  peak memory of all processes', peakMb, undefined, ' MB');
}

async function countOf(query) {
  const answer = await fetch(`${url}/_search?size=0&q=${query}`);
  return (await answer.json()).total ?? 0;
}

function cpuMilliseconds(pid) {
  const own = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const ownMs = (Number(own[11]) + Number(own[12])) * JIFFY_MS;
  return childrenOf(pid).reduce((total, child) => total + cpuMilliseconds(child), ownMs);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
