// node bench/leak-extract.mjs [--documents FOLDER] [--count 10000] [--recycle]
//
// Does extraction keep memory? The same documents go through two processes again and again, 10,000 in all, half of them
// damaged. What main process and workers use is looked at all the time; the figure is the median of the last fifth over the
// median of the second fifth, when everything is loaded and warm. Workers are not replaced, unless `--recycle` says so.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { childrenOf, dist, report, residentBytes } from './measure.mjs';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: 'examples/documents' },
    count: { type: 'string', default: '10000' },
    recycle: { type: 'boolean', default: false },
  },
});
const COUNT = Number(values.count);
const AT_ONCE = 8;
const MOST_BYTES = 1024 * 1024;
const load = (path) => import(new URL(path, dist).href);
const { ExtractionPool } = await load('extract/runtime/pool/extraction-pool.js');
const { defaultLimits } = await load('extract/limits.js');
const { silentLogger } = await load('base/logger.js');

const documents = readdirSync(values.documents, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ name: basename(path), bytes: readFileSync(path) }))
  .filter(({ bytes }) => bytes.length <= MOST_BYTES);

const { worker } = defaultLimits;
const pool = new ExtractionPool({
  size: 2,
  logger: silentLogger,
  limits: values.recycle
    ? defaultLimits
    : { ...defaultLimits, worker: { ...worker, recycleBytes: worker.memoryBytes } },
});
const options = {
  maxCharacters: 100_000,
  detectLanguage: false,
  checksum: undefined,
  includeSource: false,
  passwords: [],
  ocr: { enabled: false, pdfStrategy: 'no_ocr' },
};

const samples = [];
const reasons = new Map();
let begun = 0;
let done = 0;
await Promise.all(Array.from({ length: AT_ONCE }, work));
await pool.close();

const [early, late] = [fifth(1), fifth(4)];
for (const part of ['main', 'workers']) {
  console.log(`${part}: ${early[part].toFixed(0)} MB early, ${late[part].toFixed(0)} MB late`);
}
console.log(`${COUNT} documents; problems: ${JSON.stringify(Object.fromEntries(reasons))}`);
report('memory of main and workers, late over early', (late.main + late.workers) / (early.main + early.workers), 1.2);

async function work() {
  while (begun < COUNT) {
    const number = begun++;
    const { name, bytes } = documents[number % documents.length];
    const round = Math.floor(number / documents.length);
    const content = { kind: 'bytes', bytes: round % 2 === 0 ? bytes : damaged(bytes, round) };
    const { problem } = await pool.extract({ name, content, options }, new AbortController().signal);
    if (problem !== undefined) reasons.set(problem.reason, (reasons.get(problem.reason) ?? 0) + 1);
    done++;
    if (done % 20 === 0) samples.push({ main: megabytes([process.pid]), workers: megabytes(childrenOf(process.pid)) });
  }
}

/** One byte in a hundred changed, others in each round. */
function damaged(bytes, round) {
  const copy = Buffer.from(bytes);
  for (let at = (round * 37) % 100; at < copy.length; at += 100) copy[at] ^= round & 0xff;
  return copy;
}

function megabytes(pids) {
  return pids.reduce((total, pid) => total + residentBytes(pid), 0) / 1e6;
}

function fifth(which) {
  const from = Math.floor((samples.length * which) / 5);
  const part = samples.slice(from, Math.floor((samples.length * (which + 1)) / 5));
  const middle = (key) => part.map((sample) => sample[key]).sort((a, b) => a - b)[Math.floor(part.length / 2)];
  return { main: middle('main'), workers: middle('workers') };
}
