// npm run bench:crawl [-- --files 1000000] [-- --documents FOLDER --real 8000] [-- --rounds 1]
//
// Speed and memory of local crawls, each as a ratio to something measured in the same run: `find` for an unchanged tree,
// plain insertion for a first crawl, extraction alone for real documents. Deterministic trees, medians of three.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, copyFileSync, closeSync, openSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { crawler, dist, filesBelow, measure, median, report, runCrawler } from './measure.mjs';
import { makeTextTree } from './text-tree.mjs';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '1000000' },
    documents: { type: 'string', default: 'examples/documents' },
    // How many real documents to crawl; the samples are copied under other names until there are as many.
    real: { type: 'string', default: '600' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
  },
});
const ROUNDS = Number(values.rounds);
const work = mkdtempSync(join(tmpdir(), 'crawler-bench-'));
const load = (path) => import(new URL(path, dist).href);

const benches = { start, smallFiles, realDocuments, unchanged, bytesPerFile };
console.log(`${cpus().length} cores, load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}`);
try {
  for (const [name, bench] of Object.entries(benches)) {
    if (values.only === undefined || values.only === name) await bench();
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function start() {
  const help = await median(5, () => measure(process.execPath, [crawler, '--help']));
  report('crawler --help', help.seconds * 1000, 150, ' ms');
  const tree = join(work, 'one');
  makeTextTree(tree, { files: 1, perFolder: 1 });
  const first = await median(ROUNDS, (at) =>
    runCrawler([tree, '--loop', '1', '--config_dir', join(work, `start-${at}`)]),
  );
  report('start, one file indexed, and a clean stop', first.seconds, 1, ' s');
}

/** 20,000 text files of 1-4 KB, against the insertion of the same documents into the same index without anything else. */
async function smallFiles() {
  const tree = join(work, 'small');
  const files = 20_000;
  makeTextTree(tree, { files, perFolder: 100 });
  const config = (at) => join(work, `small-${at}`);
  const crawled = await median(ROUNDS, (at) => runCrawler([tree, '--loop', '1', '--config_dir', config(at)]));
  const documents = await readDocuments(join(config(0), 'small'), 'small_docs');
  const inserted = await median(ROUNDS, (at) => insert(documents, join(work, `insert-${at}`)));
  report('first crawl of 20,000 text files', crawled.seconds, undefined, ' s');
  report('  files per second', files / crawled.seconds);
  report('  time against plain insertion', crawled.seconds / inserted.seconds, 1.4);
  report('  peak memory of all processes', crawled.peakMb, undefined, ' MB');
  const again = await median(ROUNDS, () => runCrawler([tree, '--loop', '1', '--config_dir', config(0)]));
  report('unchanged rescan of 20,000 files', again.seconds, 0.5, ' s');
  rmSync(tree, { recursive: true });
}

async function readDocuments(directory, index) {
  const engine = await openEngine(directory);
  const documents = [];
  for await (const page of engine.scan(index, new AbortController().signal)) documents.push(...page);
  await engine.close();
  return documents;
}

async function insert(documents, directory) {
  mkdirSync(directory, { recursive: true });
  const engine = await openEngine(directory);
  const { signal } = new AbortController();
  await engine.prepare(signal);
  const start = performance.now();
  for (let from = 0; from < documents.length; from += 200) {
    // Two batches of 100 under way, as the bulk writer has them.
    await Promise.all(
      [documents.slice(from, from + 100), documents.slice(from + 100, from + 200)].map((batch) =>
        engine.write(
          batch.map(({ id, source }) => ({ kind: 'index', index: 'i', id, document: source })),
          signal,
        ),
      ),
    );
  }
  const seconds = (performance.now() - start) / 1000;
  await engine.close();
  return { seconds };
}

async function openEngine(directory) {
  const { EmbeddedEngine } = await load('engine/embedded/embedded-engine.js');
  const { silentLogger } = await load('base/logger.js');
  return new EmbeddedEngine({ directory, baseUrl: () => undefined, version: 'bench', logger: silentLogger });
}

/** Real documents many times over under other names, against the CPU time of their extraction alone. */
async function realDocuments() {
  const samples = filesBelow(values.documents);
  const tree = join(work, 'real');
  const copies = Math.max(1, Math.ceil(Number(values.real) / samples.length));
  for (let copy = 0; copy < copies; copy += 1) {
    const folder = join(tree, `copy-${copy}`);
    mkdirSync(folder, { recursive: true });
    samples.forEach((path, at) => copyFileSync(path, join(folder, `${copy}-${at}${extname(path)}`)));
  }
  const alone = await extractAlone(filesBelow(tree));
  // Pictures are not recognised by the extraction alone either.
  const options = ['--loop', '1', '--set', 'fs.ocr.enabled=false'];
  const crawled = await median(ROUNDS, (at) =>
    runCrawler([tree, ...options, '--config_dir', join(work, `real-${at}`)]),
  );
  const files = samples.length * copies;
  report(`first crawl of ${files} real documents`, crawled.seconds, undefined, ' s');
  report('  documents per second', files / crawled.seconds);
  report('  time against extraction CPU / cores', crawled.seconds / (alone.cpuSeconds / cpus().length), 1.3);
  report('  peak memory of all processes', crawled.peakMb, undefined, ' MB');
  rmSync(tree, { recursive: true });
}

/** CPU seconds of one sandbox process that extracts all files one after the other. */
async function extractAlone(paths) {
  const { ExtractionPool } = await load('extract/runtime/pool/extraction-pool.js');
  const { silentLogger } = await load('base/logger.js');
  const pool = new ExtractionPool({ size: 1, logger: silentLogger });
  const before = childCpuSeconds();
  const ocr = { enabled: false, language: 'eng', outputType: 'txt', pdfStrategy: 'no_ocr', pageSegMode: 1 };
  const options = { maxCharacters: 100_000, detectLanguage: false, includeSource: false, passwords: [], ocr };
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    await pool.extract({ name, content: { kind: 'path', path }, options }, new AbortController().signal);
  }
  const cpuSeconds = childCpuSeconds() - before;
  await pool.close();
  return { cpuSeconds };
}

function childCpuSeconds() {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(fields[1]) === process.pid) ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It ended meanwhile.
    }
  }
  return ticks / 100;
}

/** An unchanged tree, in the real program, against find(1) on the same tree; and memory at a tenth of the files. */
async function unchanged() {
  const large = await rescan(Number(values.files));
  const small = await rescan(Number(values.files) / 10);
  report('  peak memory against a tenth of the files', large.peakMb / small.peakMb, 1.3);
}

async function rescan(files) {
  const tree = join(work, `tree-${files}`);
  for (let at = 0; at < files; at += 1) {
    const folder = join(tree, `g${Math.floor(at / 10_000)}`, `f${Math.floor(at / 100)}`);
    if (at % 100 === 0) mkdirSync(folder, { recursive: true });
    closeSync(openSync(join(folder, `document-${at}.txt`), 'w'));
  }
  // Without content the first crawl is quick; what a rescan costs does not depend on it.
  const args = [tree, '--loop', '1', '--config_dir', join(work, `rescan-${files}`), '--set', 'fs.index_content=false'];
  await runCrawler(args);
  const find = await median(ROUNDS, () => measure('find', [tree, '-printf', '%s %T@ %p\n']));
  const again = await median(ROUNDS, () => runCrawler(args));
  report(`unchanged rescan of ${files} files`, again.seconds, undefined, ' s');
  report('  time against find', again.seconds / find.seconds, files >= 1_000_000 ? 1.6 : undefined);
  report('  peak memory of all processes', again.peakMb, 120, ' MB');
  rmSync(tree, { recursive: true });
  return again;
}

/** Catalog and checkpoint: bytes written for each file must not depend on how many there are. */
async function bytesPerFile() {
  const few = await catalogBytes(10_000);
  const many = await catalogBytes(Math.min(200_000, Number(values.files)));
  report('catalog bytes written per file, 20 times as many files', many / few, 1.2);
}

async function catalogBytes(files) {
  const { SqliteCatalog } = await load('state/sqlite-catalog.js');
  const path = join(work, `catalog-${files}.db`);
  const catalog = new SqliteCatalog(path);
  const before = writtenBytes();
  catalog.frontier.beginScan('/r', 'scan', 1);
  for (let folder = 0; folder < files / 100; folder += 1) {
    const [record] = catalog.frontier.addSubfolders(1, [`/r/folder-${folder}`]);
    const row = { size: 1, modifiedMs: 1.5, changedMs: 2.5, createdMs: 3.5, version: '', state: 'indexed', rules: 7 };
    const rest = { reason: undefined, message: undefined, tries: 0, atMs: 1, retryMs: 0 };
    const names = Array.from({ length: 100 }, (_, at) => ({
      name: `document-${at}.txt`,
      inode: folder * 100 + at + 1,
    }));
    catalog.records.saveFiles(names.map((name) => ({ folderId: record.id, ...name, ...row, ...rest })));
    catalog.frontier.completeFolder(record.id, { digest: 'digest', device: 1, reason: undefined });
  }
  catalog.close();
  return (writtenBytes() - before) / files;
}

function writtenBytes() {
  return Number(/wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))[1]);
}
