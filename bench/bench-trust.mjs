// npm run bench:trust [-- --files 1000000] [-- --moved 10000] [-- --large 13000] [-- --rounds 3] [-- --only backup]
//
// Speed of the commands that inspect a job: `why` for one path, `verify` against the unchanged rescan of the same tree, a folder
// rename on the embedded index, and what a backup costs the crawl beside it. The packed program
// (build/package, made anew) is measured. Ratios are taken in one run; CPU seconds stand beside wall time, since machines are noisy.
import {
  mkdirSync,
  mkdtempSync,
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { spawn } from 'node:child_process';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makePackage } from '../.ci/package/make-package.mjs';
import { measure, median, report } from './measure.mjs';
import { makeTexts, makeTextTree } from './text-tree.mjs';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '1000000' },
    moved: { type: 'string', default: '10000' },
    large: { type: 'string', default: '13000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
  },
});
const packed = fileURLToPath(new URL('../build/package', import.meta.url));
const crawler = join(packed, 'lib', 'crawler.js');
const ROUNDS = Number(values.rounds);
const work = mkdtempSync(join(tmpdir(), 'crawler-bench-'));

const benches = { verify, rename, backup };
console.log(`${cpus().length} cores, load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}`);
try {
  await makePackage(packed);
  for (const [name, bench] of Object.entries(benches)) {
    if (values.only === undefined || values.only === name) await bench();
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Wall and CPU seconds of one command, as the shell counts them. */
function run(args) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const script = '"$@" > /dev/null; code=$?; times; exit $code';
    const child = spawn('bash', ['-c', script, 'bash', process.execPath, crawler, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      const seconds = (performance.now() - start) / 1000;
      if (code === 0) resolve({ seconds, cpu: cpuOf(output) });
      else reject(new Error(`crawler ${args.join(' ')} ended with ${code}`));
    });
  });
}

/** The second line of bash's `times`: user and system time of its children. */
function cpuOf(output) {
  const children = output.trim().split('\n').at(-1) ?? '';
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

async function verify() {
  const files = Number(values.files);
  const tree = join(work, 'tree');
  for (let at = 0; at < files; at += 1) {
    const folder = join(tree, `g${Math.floor(at / 10_000)}`, `f${Math.floor(at / 100)}`);
    if (at % 100 === 0) mkdirSync(folder, { recursive: true });
    closeSync(openSync(join(folder, `document-${at}.txt`), 'w'));
  }
  const config = ['--config_dir', join(work, 'config'), '--set', 'fs.index_content=false'];
  await run([tree, '--loop', '1', '--silent', ...config]);
  const again = await median(ROUNDS, () => run([tree, '--loop', '1', '--silent', ...config]));
  const verified = await median(ROUNDS, () => run(['verify', tree, ...config]));
  report(`unchanged rescan of ${files} files`, again.seconds, undefined, ' s');
  report('  CPU', again.cpu, undefined, ' s');
  report(`verify of ${files} files`, verified.seconds, undefined, ' s');
  report('  CPU', verified.cpu, undefined, ' s');
  report('  time against the rescan', verified.seconds / again.seconds, 3);
  const path = join(tree, 'g0', 'f7', 'document-742.txt');
  const explained = await median(2 * ROUNDS - 1, () => run(['why', path, ...config]));
  report(`why, of one file of ${files}`, explained.seconds * 1000, 300, ' ms');
  report('  CPU', explained.cpu * 1000, undefined, ' ms');
  rmSync(tree, { recursive: true });
}

/** Text files of 1-4 KB with their texts in the index: what has to be written again when their folder gets another name. */
async function rename() {
  const files = Number(values.moved);
  const tree = join(work, 'moved');
  const names = Array.from({ length: ROUNDS + 1 }, (_, at) => join(tree, `name-${at}`));
  makeTextTree(names[0], { files, perFolder: files });
  const args = [tree, '--loop', '1', '--silent', '--config_dir', join(work, 'config-moved')];
  const first = await run(args);
  let at = 0;
  const moved = await median(ROUNDS, () => {
    renameSync(names[at], names[at + 1]);
    at += 1;
    return run(args);
  });
  report(`first crawl of ${files} text files`, first.seconds, undefined, ' s');
  report('their folder renamed', moved.seconds, undefined, ' s');
  report('  time against the first crawl', moved.seconds / first.seconds, 1.5);
  report('  CPU', moved.cpu, undefined, ' s');
}

/** A crawl of 20,000 further files into an index of a gigabyte (of `--large` texts of 60,000 characters), with and without a backup. */
async function backup() {
  const tree = join(work, 'backed-up');
  const large = Number(values.large);
  const texts = makeTexts(Math.min(large, 1000), 60_000);
  for (let at = 0; at < large; at += 1) {
    const folder = join(tree, `large-${Math.floor(at / 1000)}`);
    if (at % 1000 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${at}.txt`), `number${at} ${texts[at % texts.length]}`);
  }
  const config = ['--config_dir', join(work, 'config-backup')];
  const crawl = () => measure(process.execPath, [crawler, tree, '--loop', '1', '--silent', ...config]);
  await crawl();
  const job = join(work, 'config-backup', 'backed-up');
  report('index', statSync(join(job, 'index.db')).size / 1e9, undefined, ' GB');
  const further = join(tree, 'further');
  const without = (round) => {
    rmSync(further, { recursive: true, force: true });
    makeTextTree(further, { files: 20_000, perFolder: 100, seed: round });
    return crawl();
  };
  const beside = async (round) => {
    const to = join(work, `backup-${round}`);
    const crawled = without(round + ROUNDS);
    const made = await measure(process.execPath, [crawler, 'backup', tree, '--to', to, ...config]);
    rmSync(to, { recursive: true });
    return { ...(await crawled), made };
  };
  const alone = await median(ROUNDS, without);
  const both = await median(ROUNDS, beside);
  report('crawl of 20,000 further files', alone.seconds, undefined, ' s');
  report('  beside a backup', both.seconds, undefined, ' s');
  report('  time against the crawl alone', both.seconds / alone.seconds, 1.2);
  report('  memory of the crawl: more than alone', both.peakMb - alone.peakMb, 50, ' MB');
  report('backup', both.made.seconds, undefined, ' s');
  report('  memory', both.made.peakMb, undefined, ' MB');
}
