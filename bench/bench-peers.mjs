// npm run bench:peers [-- --documents FOLDER] [-- --texts 20000] [-- --tiny 200000] [-- --rounds 3] [-- --only texts]
//
// The crawler beside the programs that people would use instead, on the same files, in turn, in one run: recollindex and
// omindex (packages recollcmd and xapian-omega of Debian), a warm Tika server for extraction (fetched by Maven). What no
// program can beat stands beside them: `find`, `node -e 0`, bare insertion into FTS5. What is not installed is left out and
// named. The crawler is the packed one, as people install it.
import { spawnSync } from 'node:child_process';
import { readFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bareInsertion } from './bare-fts5.mjs';
import { makePackage } from '../.ci/package/make-package.mjs';
import { familyMemoryMb, filesBelow, measure, report } from './measure.mjs';
import { makeTextTree } from './text-tree.mjs';
import { missingForTika } from '../test/engines/start-tika.mjs';
import { WarmTika } from './warm-tika.mjs';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: 'examples/documents' },
    texts: { type: 'string', default: '20000' },
    tiny: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
  },
});
const ROUNDS = Number(values.rounds);
const packed = fileURLToPath(new URL('../build/package', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'crawler-peers-'));

/**
 * Each keeps an index in a folder of its own. The crawler does not recognise pictures here, as the others do not.
 * @type {Record<string, (tree: string, index: string) => Promise<{ seconds: number, peakMb: number }>>}
 */
const programs = {
  crawler: (tree, index) => {
    const options = ['--loop', '1', '--config_dir', index, '--set', 'fs.ocr.enabled=false', '--silent'];
    return measure(process.execPath, [join(packed, 'lib', 'crawler.js'), tree, ...options]);
  },
  recollindex: (tree, index) => {
    writeFileSync(join(index, 'recoll.conf'), `topdirs = ${tree}\nloglevel = 1\nfollowLinks = 0\n`);
    return measure('recollindex', ['-c', index], QUIET);
  },
  omindex: (tree, index) => measure('omindex', ['--db', join(index, 'db'), '--url', '/', tree], QUIET),
};
const QUIET = { stderr: 'ignore' };

const benches = { texts, documents, tiny, oneFile };
console.log(`${cpus().length} cores, load ${loadAverage()}, Node ${process.version}, medians of ${ROUNDS}`);
const installed = Object.keys(programs).filter((name) => name === 'crawler' || isInstalled(name));
for (const name of Object.keys(programs))
  if (!installed.includes(name)) console.log(`${name} is not installed: it is left out.`);
try {
  await makePackage(packed);
  for (const [name, bench] of Object.entries(benches))
    if (values.only === undefined || values.only === name) await bench();
} finally {
  rmSync(work, { recursive: true, force: true });
}
console.log(`load at the end ${loadAverage()}`);

async function texts() {
  const tree = join(work, 'texts');
  const files = Number(values.texts);
  makeTextTree(tree, { files, perFolder: 100 });
  heading(`${files} texts of 1 to 4 KB`);
  table(await indexTree(tree), { find: await findIn(tree) });
  const insertion = bareInsertion(filesBelow(tree).map((path) => readFileSync(path, 'utf8')));
  for (const [how, seconds] of Object.entries(insertion)) line(`bare FTS5, ${how}`, `${seconds.toFixed(2)} s`);
  rmSync(tree, { recursive: true });
}

async function documents() {
  const tree = resolve(values.documents);
  heading(`${filesBelow(tree).length} documents of ${values.documents}`);
  const results = await indexTree(tree);
  table(results, { find: await findIn(tree) });
  const missing = missingForTika();
  if (missing !== undefined) return line('warm Tika', `left out: it needs ${missing}`);
  const { seconds, peakMb } = await warmTika(filesBelow(tree));
  const { first } = results.crawler;
  line('warm Tika, extraction alone', `${seconds.toFixed(2)} s, ${peakMb.toFixed(0)} MB`);
  report('our first crawl against it: time, with start and index', first.seconds / seconds, 0.5);
  report('  memory', first.peakMb / peakMb, 0.5);
}

/** A server that has seen all files before, with a stream for each core. */
async function warmTika(files) {
  const tika = await WarmTika.start();
  let peakMb = 0;
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, familyMemoryMb(tika.pid));
  }, 100);
  try {
    const through = () => tika.through(files, cpus().length);
    await through();
    return { seconds: middle([await through(), await through(), await through()]).seconds, peakMb };
  } finally {
    clearInterval(timer);
    await tika.stop();
  }
}

/** Small files in many folders, of which nothing has changed: what is left is listing. */
async function tiny() {
  const tree = join(work, 'tiny');
  const files = Number(values.tiny);
  for (let at = 0; at < files; at += 1) {
    const folder = join(tree, `folder-${Math.floor(at / 100)}`);
    if (at % 100 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${at}.txt`), `number ${at}`);
  }
  heading(`${files} files of a few bytes`);
  table(await indexTree(tree, 1), { find: await findIn(tree) });
  rmSync(tree, { recursive: true });
}

async function oneFile() {
  const tree = join(work, 'one');
  mkdirSync(tree);
  writeFileSync(join(tree, 'note.txt'), 'The lighthouse at the harbour.');
  heading('one file');
  table(await indexTree(tree), { 'node -e 0': await inTurn(() => measure(process.execPath, ['-e', '0'])) });
}

/** First crawls and crawls of the unchanged tree, the programs in turn. */
async function indexTree(tree, rounds = ROUNDS) {
  const runs = Object.fromEntries(installed.map((name) => [name, { first: [], unchanged: [] }]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of installed) {
      const index = mkdtempSync(join(work, `${name}-`));
      runs[name].first.push(await programs[name](tree, index));
      runs[name].unchanged.push(await programs[name](tree, index));
      rmSync(index, { recursive: true, force: true });
    }
  }
  return Object.fromEntries(
    Object.entries(runs).map(([name, { first, unchanged }]) => [
      name,
      { first: middle(first), unchanged: middle(unchanged) },
    ]),
  );
}

/** With what a scan has to know of each file. */
function findIn(tree) {
  return inTurn(() => measure('find', [tree, '-printf', '%p %s %T@ %C@ %i\n']));
}

async function inTurn(work) {
  const results = [];
  for (let round = 0; round < Math.max(3, ROUNDS); round += 1) results.push(await work());
  return middle(results);
}

/** The median of the times, and the highest memory of all rounds where it was measured. */
function middle(results) {
  const seconds = results.map((each) => each.seconds).sort((a, b) => a - b)[Math.floor(results.length / 2)];
  return { seconds, peakMb: Math.max(...results.map(({ peakMb = 0 }) => peakMb)) };
}

function heading(text) {
  console.log(`\n${text}`);
  console.log(`${''.padEnd(40)}${'first'.padStart(20)}${'unchanged'.padStart(20)}${'peak'.padStart(10)}`);
}

/** Ratios are those to the crawler: above 1, the other takes longer. */
function table(results, limits) {
  const { crawler } = results;
  for (const [name, { first, unchanged }] of Object.entries(results)) {
    const cell = (each, own) =>
      `${each.seconds.toFixed(2)} s (${(each.seconds / own.seconds).toFixed(2)})`.padStart(20);
    const peak = `${Math.round(first.peakMb)} MB`.padStart(10);
    console.log(`${name.padEnd(40)}${cell(first, crawler.first)}${cell(unchanged, crawler.unchanged)}${peak}`);
  }
  for (const [name, { seconds }] of Object.entries(limits))
    line(name, `${seconds.toFixed(3)} s, ours unchanged / ${name} ${(crawler.unchanged.seconds / seconds).toFixed(2)}`);
}

function line(name, text) {
  console.log(`${name.padEnd(40)} ${text}`);
}

function isInstalled(name) {
  return spawnSync('which', [name]).status === 0;
}

function loadAverage() {
  return readFileSync('/proc/loadavg', 'utf8').split(' ')[0];
}
