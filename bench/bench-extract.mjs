// npm run bench:extract [-- --documents FOLDER] [-- --rounds 5] [-- --repeat 3] [-- --limit 500]
//
// The embedded extractor against a warm Tika server on the same files, in one run: how much of Tika's text it finds, wall and
// CPU time with one stream and with two, memory, and the time to the first document. The rounds of both take turns, since
// machines are noisy; what counts is the median of the ratios of neighbours. FOLDER may hold a golden.jsonl with reference
// texts (file, text); without one, the texts of the Tika server are the reference. A compare.mjs beside FOLDER is called too.
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { missingForTika, TIKA_VERSION } from '../test/engines/start-tika.mjs';
import { childrenOf, familyMemoryMb, filesBelow, report, reportAtLeast } from './measure.mjs';
import { WarmTika } from './warm-tika.mjs';
import { overlap } from './word-overlap.mjs';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: 'examples/documents' },
    rounds: { type: 'string', default: '5' },
    // How often the files are worked through in one round: few files are over too soon to be measured.
    repeat: { type: 'string', default: '3' },
    // Files at most, spread evenly over the folder.
    limit: { type: 'string' },
  },
});
const ROUNDS = Number(values.rounds);
const REPEAT = Number(values.repeat);
/** Documents with fewer words say little about a share of them. */
const FEW_WORDS = 20;
/** Reference texts of a golden.jsonl end here. */
const GOLDEN_CHARACTERS = 20_000;
const golden = join(values.documents, 'golden.jsonl');
const paths = spread(
  filesBelow(values.documents).filter((path) => path !== golden),
  Number(values.limit ?? Infinity),
);
const work = mkdtempSync(join(tmpdir(), 'crawler-bench-'));

console.log(
  `${paths.length} files, ${cpus().length} cores, load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}`,
);
let tika;
try {
  await firstDocument();
  const own = await startExtraction();
  const missing = missingForTika();
  if (missing === undefined) tika = await WarmTika.start();
  else console.log(`No comparison with Tika: it needs ${missing}.`);
  await quality(own);
  if (tika !== undefined) await speed(own);
  own.child.disconnect();
} finally {
  await tika?.stop();
  rmSync(work, { recursive: true, force: true });
}

/** From nothing to the text of one document: Node, pool, sandbox process, format. */
async function firstDocument() {
  const seconds = [];
  const cpu = [];
  for (let at = 0; at < ROUNDS; at += 1) {
    const { child, startSeconds } = await startExtraction();
    seconds.push(startSeconds);
    cpu.push(cpuSeconds([child.pid]));
    child.disconnect();
    await once(child, 'exit');
  }
  report('first document after start', middle(seconds), 0.6, ' s');
  report('  CPU time for it', middle(cpu), undefined, ' s');
}

async function startExtraction() {
  const beganAt = performance.now();
  const child = fork(fileURLToPath(new URL('extraction-process.mjs', import.meta.url)), [firstPath()]);
  await once(child, 'message');
  return { child, startSeconds: (performance.now() - beganAt) / 1000 };
}

function firstPath() {
  return paths.find((path) => extname(path) === '.pdf') ?? paths[0];
}

async function quality(own) {
  const { results } = await extractAll(own, paths, 1, true);
  const reference = existsSync(golden) ? goldenTexts() : tika === undefined ? undefined : await tikaTexts();
  if (reference === undefined) return;
  const rows = paths.flatMap((path, at) => {
    const text = reference.get(relative(values.documents, path));
    const { text: all, contentType } = results[at];
    const found = existsSync(golden) ? all.slice(0, GOLDEN_CHARACTERS) : all;
    return text === undefined ? [] : [{ path, format: formatOf(contentType, path), ...overlap(text, found) }];
  });
  const told = rows.filter(({ words }) => words >= FEW_WORDS);
  console.log(`\nText against ${existsSync(golden) ? 'golden.jsonl' : `Tika ${TIKA_VERSION}`}, ${told.length} files`);
  for (const [format, of] of byFormat(told)) {
    const low = of.filter(({ recall }) => recall < 0.95).length;
    console.log(
      `  ${format.padEnd(12)}${String(of.length).padStart(5)}  recall ${mean(of, 'recall')}  precision ${mean(of, 'precision')}${low === 0 ? '' : `  below 95 %: ${low}`}`,
    );
  }
  reportAtLeast('word recall, mean', Number(mean(told, 'recall')), 0.97);
  reportAtLeast('word precision, mean', Number(mean(told, 'precision')), 0.93);
  reportAtLeast(
    'share of files with 95 % of the words',
    told.filter(({ recall }) => recall >= 0.95).length / told.length,
    0.9,
  );
  for (const { path, recall, precision } of told.sort((a, b) => a.recall - b.recall).slice(0, 5)) {
    if (recall < 0.95) console.log(`  recall ${recall.toFixed(2)}, precision ${precision.toFixed(2)}: ${path}`);
  }
  callCompare(results);
}

/** The method that the shared documents come with, where it is at hand. */
function callCompare(results) {
  const compare = join(dirname(values.documents), 'compare.mjs');
  if (!existsSync(compare) || !existsSync(golden)) return;
  const candidate = join(work, 'candidate.jsonl');
  const lines = paths.map((path, at) =>
    JSON.stringify({ file: relative(values.documents, path), text: results[at].text }),
  );
  writeFileSync(candidate, `${lines.join('\n')}\n`);
  console.log(spawnSync(process.execPath, [compare, golden, candidate], { encoding: 'utf8' }).stdout);
}

function goldenTexts() {
  const lines = readFileSync(golden, 'utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line) => JSON.parse(line)).map(({ file, text }) => [file, text ?? '']));
}

async function tikaTexts() {
  const texts = new Map();
  for (const path of paths) texts.set(relative(values.documents, path), await tika.textOf(path));
  return texts;
}

/** Rounds of Tika and of the embedded extractor in turn; both have seen all files before. */
async function speed(own) {
  const many = Array.from({ length: REPEAT }, () => paths).flat();
  await tika.through(many, 2);
  await extractAll(own, many, 2, false);
  const memory = { own: 0, tika: 0 };
  for (const streams of [1, 2]) {
    const rounds = [];
    for (let at = 0; at < ROUNDS; at += 1) {
      const theirs = await measured(() => tika.through(many, streams), tika.pid, memory, 'tika');
      const ours = await measured(() => extractAll(own, many, streams, false), own.child.pid, memory, 'own');
      rounds.push({ theirs, ours });
    }
    const of = (which) => middle(rounds.map(which));
    const name = streams === 1 ? 'one stream' : 'two streams';
    console.log(`\n${many.length} documents, ${name}, medians of ${ROUNDS} rounds`);
    report(
      `  Tika ${TIKA_VERSION}`,
      of(({ theirs }) => theirs.seconds),
      undefined,
      ' s',
    );
    report(
      '  embedded',
      of(({ ours }) => ours.seconds),
      undefined,
      ' s',
    );
    report(
      `wall time against Tika, ${name}`,
      of(({ theirs, ours }) => ours.seconds / theirs.seconds),
      0.5,
    );
    report(
      `CPU time against Tika, ${name}`,
      of(({ theirs, ours }) => ours.cpu / theirs.cpu),
    );
    if (streams === 1) printFormats(rounds);
  }
  report('\npeak memory of Tika', memory.tika, undefined, ' MB');
  report('peak memory of pool and main process', memory.own, undefined, ' MB');
  report('memory against Tika', memory.own / memory.tika, 0.4);
}

/** Formats by the time that they take here, longest first. */
function printFormats(rounds) {
  const { results } = rounds.at(-1).ours;
  const many = results.map(({ contentType, problem }, at) => ({
    format: formatOf(contentType, paths[at % paths.length]),
    problem,
    ours: middle(rounds.map(({ ours }) => ours.results[at].ms)),
    theirs: middle(rounds.map(({ theirs }) => theirs.results[at].ms)),
  }));
  const formats = [...byFormat(many)].map(([format, of]) => ({
    format,
    files: of.length / REPEAT,
    ours: sum(of, 'ours') / REPEAT,
    theirs: sum(of, 'theirs') / REPEAT,
  }));
  console.log('  format        files   ms here   ms Tika   ratio');
  for (const { format, files, ours, theirs } of formats.sort((a, b) => b.ours - a.ours)) {
    const numbers = [files, ours.toFixed(1), theirs.toFixed(1), (ours / theirs).toFixed(2)];
    console.log(
      `  ${format.padEnd(12)}${numbers.map((number, at) => String(number).padStart(at === 0 ? 7 : 10)).join('')}`,
    );
  }
}

async function measured(run, pid, memory, whose) {
  const cpuBefore = cpuSeconds(pid);
  const look = () => {
    memory[whose] = Math.max(memory[whose], familyMemoryMb(pid));
  };
  const timer = setInterval(look, 20);
  try {
    const result = await run();
    return { ...result, cpu: cpuSeconds(pid) - cpuBefore };
  } finally {
    clearInterval(timer);
    look();
  }
}

/** Of a process and its children, in seconds. */
function cpuSeconds(pid) {
  return [pid, ...childrenOf(pid)].reduce((total, each) => total + cpuOf(each), 0);
}

function cpuOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Own time, and that of children that have ended.
    return (Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return 0;
  }
}

async function extractAll({ child }, files, streams, wantsTexts) {
  child.send({ paths: files, streams, wantsTexts });
  const [answer] = await once(child, 'message');
  return answer;
}

function formatOf(contentType, path) {
  const extension = extname(path).slice(1).toLowerCase();
  return extension === '' ? (contentType ?? 'unknown').replace(/;.*/, '') : extension;
}

function byFormat(rows) {
  const groups = new Map();
  for (const row of rows) groups.set(row.format, [...(groups.get(row.format) ?? []), row]);
  return [...groups].sort(([a], [b]) => a.localeCompare(b));
}

function mean(rows, key) {
  return (sum(rows, key) / rows.length).toFixed(3);
}

function sum(rows, key) {
  return rows.reduce((total, row) => total + row[key], 0);
}

function middle(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function spread(all, most) {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)]);
}
