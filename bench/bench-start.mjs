// npm run bench:start [-- --rounds 9] [-- --only package]
//
// What a start costs: `crawler --help`, indexing one file, and a search, as multiples of `node -e 0` in the same run. The
// compiled program (dist/) and the packed one (build/package, made anew) take turns. CPU is that of all processes together.
import { spawn } from 'node:child_process';
import { cpus, tmpdir } from 'node:os';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makePackage } from '../.ci/package/make-package.mjs';
import { crawler, report } from './measure.mjs';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, only: { type: 'string' } },
});
const ROUNDS = Number(values.rounds);
const LIMITS = { '--help': 1.8, 'index one file': 5, search: 3 };

const work = mkdtempSync(join(tmpdir(), 'crawler-bench-'));
const packed = fileURLToPath(new URL('../build/package', import.meta.url));
const programs = { dist: crawler, package: join(packed, 'lib', 'crawler.js') };

console.log(
  `${cpus().length} cores, load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}, Node ${process.version}`,
);
if (process.env.NODE_EXTRA_CA_CERTS !== undefined)
  console.log('NODE_EXTRA_CA_CERTS is set: each Node parses its certificates first, which makes the yardstick longer.');
try {
  if (values.only !== 'dist') await makePackage(packed);
  await bench(Object.entries(programs).filter(([name]) => values.only === undefined || values.only === name));
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function bench(chosen) {
  const tree = join(work, 'tree');
  mkdirSync(tree);
  writeFileSync(join(tree, 'note.txt'), 'The lighthouse at the harbour.');
  const times = new Map();
  // The first round fills the caches of disk and program.
  for (let round = 0; round <= ROUNDS; round += 1) {
    add(times, 'node -e 0', await run(['-e', '0']), round);
    for (const [name, program] of chosen) {
      const config = ['--config_dir', join(work, `config-${name}-${round}`)];
      add(times, `${name}: --help`, await run([program, '--help']), round);
      add(times, `${name}: index one file`, await run([program, tree, '--loop', '1', ...config]), round);
      add(times, `${name}: search`, await run([program, 'search', tree, 'lighthouse', ...config]), round);
    }
  }
  const base = median(times.get('node -e 0'));
  report('node -e 0', base.ms, undefined, ' ms');
  for (const [what, each] of times) {
    if (what === 'node -e 0') continue;
    const { ms, cpuMs } = median(each);
    report(`${what}: time`, ms / base.ms, LIMITS[what.split(': ')[1]], ' ×');
    report(`${what}: CPU`, cpuMs / base.cpuMs, undefined, ' ×');
  }
}

function add(times, what, measured, round) {
  if (round === 0) return;
  times.set(what, [...(times.get(what) ?? []), measured]);
}

/** The median of each figure by itself. */
function median(all) {
  const middle = (name) => all.map((each) => each[name]).sort((a, b) => a - b)[Math.floor(all.length / 2)];
  return { ms: middle('ms'), cpuMs: middle('cpuMs') };
}

/** Milliseconds of wall and CPU time of one process with its children, as the shell counts them. */
function run(args) {
  return new Promise((resolve, reject) => {
    const script = 's=$EPOCHREALTIME; "$@" >/dev/null || exit; e=$EPOCHREALTIME; times; echo $s $e';
    const child = spawn('bash', ['-c', script, 'bash', process.execPath, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(`node ${args.join(' ')} ended with ${code}`));
      const [, times, clock] = output.trim().split('\n');
      const [start, end] = clock.split(' ').map(Number);
      const parts = [...times.matchAll(/(\d+)m([\d.]+)s/g)];
      const cpuMs = parts.reduce(
        (sum, [, minutes, seconds]) => sum + 1000 * (Number(minutes) * 60 + Number(seconds)),
        0,
      );
      resolve({ ms: 1000 * (end - start), cpuMs });
    });
  });
}
