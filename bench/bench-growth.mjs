// npm run bench:growth [-- --documents 1000000] [-- --keep /tmp/bench-growth]
//
// What becomes of speed and memory when an index grows: a first crawl of a million small texts in the real program, the rate
// of its last tenth against that of its first, memory on the way, the size of the index, and the times of searches in it. With
// --keep, tree and index stay in that folder, and the searches of a later run use them.
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { familyMemoryMb, filesBelow, report, reportAtLeast } from './measure.mjs';
import { textMaker } from './text-tree.mjs';
import { p, timed } from './web/figures.mjs';
import { ask, killServices, startService, stopService } from './web/service.mjs';

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '1000000' }, keep: { type: 'string' } },
});
const DOCUMENTS = Number(values.documents);
const PER_FOLDER = 1000;
const CHARACTERS = 1000;
const JOB = 'grown';
/** Of each kind of search, with other words each time. */
const SEARCHES = 40;

const work = values.keep ?? mkdtempSync(join(tmpdir(), 'crawler-bench-'));
const tree = join(work, 'tree');
const config = join(work, 'config');

console.log(`${cpus().length} cores, ${DOCUMENTS} documents of ${CHARACTERS} characters, Node ${process.version}`);
try {
  if (!existsSync(config)) {
    makeTree();
    await crawl();
  }
  await searches();
} finally {
  killServices();
  if (values.keep === undefined) rmSync(work, { recursive: true, force: true });
}

function makeTree() {
  const { text } = textMaker();
  for (let at = 0; at < DOCUMENTS; at += 1) {
    const folder = join(tree, `f${Math.floor(at / PER_FOLDER)}`);
    if (at % PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${at}.txt`), `${at % 2 === 0 ? 'commonword ' : ''}${text(CHARACTERS)}`);
  }
}

async function crawl() {
  const service = await startService(config, [JOB, '--loop', '1'], [`fs.url=${tree}`, 'rest.verify_rate=-1']);
  const start = performance.now();
  const seen = [];
  for (let ended = false; !ended;) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const { state, last_error, activity } = await ask(`${service.url}/_crawler/status`);
    if (state === 'ERROR') throw new Error(last_error);
    const settled = activity.run?.settled ?? 0;
    seen.push({ settled, seconds: (performance.now() - start) / 1000, memoryMb: familyMemoryMb(service.child.pid) });
    ended = settled >= DOCUMENTS;
  }
  const { seconds } = seen.at(-1);
  const [first, last] = [rate(seen, 0, 0.1), rate(seen, 0.9, 1)];
  report('first crawl', seconds, undefined, ' s');
  report('  documents per second, the first tenth', first);
  report('  documents per second, the last tenth', last);
  reportAtLeast('  the last tenth against the first', last / first, 0.8);
  const memory = (from, to) => Math.max(...part(seen, from, to).map(({ memoryMb }) => memoryMb));
  report('  peak memory of all processes', memory(0, 1), undefined, ' MB');
  report('  that of the last half against that of the first', memory(0.5, 1) / memory(0, 0.5), 1.1);
  await stopService(service);
  report('  size of the index for each document', bytesIn(join(config, JOB)) / DOCUMENTS, undefined, ' bytes');
}

function part(seen, from, to) {
  return seen.filter(({ settled }) => settled >= from * DOCUMENTS && settled <= to * DOCUMENTS);
}

function rate(seen, from, to) {
  const some = part(seen, from, to).filter(({ settled }) => settled > 0);
  const [first, last] = [some[0], some.at(-1)];
  return (last.settled - first.settled) / (last.seconds - first.seconds);
}

function bytesIn(folder) {
  return filesBelow(folder).reduce((bytes, path) => bytes + statSync(path).size, 0);
}

/** As programs send them, over HTTP. The words are those of the texts, as often as they come there. */
async function searches() {
  const service = await startService(config, [JOB, '--loop', '0'], []);
  const { word } = textMaker();
  const match = (query) => ({ query: { match: { content: query } } });
  const FACETS = {
    type: { terms: { field: 'file.content_type' } },
    extension: { terms: { field: 'file.extension' } },
    date: { date_histogram: { field: 'file.last_modified', calendar_interval: 'month' } },
  };
  const phrase = phrases();
  const kinds = {
    'a word': [150, () => match(word())],
    'a word in half of the documents': [undefined, () => match('commonword')],
    'two words, both': [
      150,
      () => ({ query: { match: { content: { query: `${word()} ${word()}`, operator: 'and' } } } }),
    ],
    'a phrase of two words': [150, () => ({ query: { match_phrase: { content: phrase.next().value } } })],
    'a word, hits with highlights': [150, () => ({ ...match(word()), highlight: { fields: { content: {} } } })],
    'facets of what a word finds': [300, () => ({ ...match(word()), size: 0, aggs: FACETS })],
    'facets of all documents': [300, () => ({ size: 0, aggs: FACETS })],
  };
  for (const [name, [limit, body]] of Object.entries(kinds)) {
    const times = [];
    const [first] = await timed(() => search(service.url, body()));
    for (let at = 0; at < SEARCHES; at += 1) times.push((await timed(() => search(service.url, body())))[0]);
    // What was counted without hits need not be counted again.
    report(`${name}, the first time`, first, undefined, ' ms');
    report(`${''.padEnd(name.length)}  p50`, p(times, 0.5), undefined, ' ms');
    report(`${''.padEnd(name.length)}  p95`, p(times, 0.95), limit, ' ms');
  }
  await stopService(service);
}

/** Two words that follow one another somewhere. */
function* phrases() {
  const { text } = textMaker();
  for (;;) yield text(CHARACTERS).replaceAll('.\n', ' ').split(' ').slice(20, 22).join(' ');
}

async function search(url, body) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/_engine/${JOB}_docs/_search`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const result = await answer.json();
  if (!answer.ok) throw new Error(JSON.stringify(result));
  return result;
}
