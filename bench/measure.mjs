// Shared by the benches: running programs with their time and memory, and medians. Ratios are taken in one run, since
// machines are noisy.
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const crawler = fileURLToPath(new URL('../bin/crawler.js', import.meta.url));
/** Of the compiled program; PROGRAM_DIST names another build folder below the project. */
export const dist = new URL(`../${process.env.PROGRAM_DIST ?? 'dist'}/`, import.meta.url);

/** Runs a program; resolves with seconds of wall time and the peak memory of all its processes together, in MB. */
export function measure(command, args, { env = {}, stderr = 'inherit' } = {}) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', stderr], env: { ...process.env, ...env } });
    let peakMb = 0;
    const timer = setInterval(() => {
      peakMb = Math.max(peakMb, familyMemoryMb(child.pid));
    }, 20);
    child.on('error', reject);
    child.on('close', (code) => {
      clearInterval(timer);
      if (code !== 0) reject(new Error(`${command} ${args.join(' ')} ended with ${code}`));
      else resolve({ seconds: (performance.now() - start) / 1000, peakMb });
    });
  });
}

export function runCrawler(args, options) {
  return measure(process.execPath, [crawler, ...args, '--silent'], options);
}

export async function median(times, work, by = (result) => result.seconds) {
  const results = [];
  for (let at = 0; at < times; at += 1) results.push(await work(at));
  return results.sort((a, b) => by(a) - by(b))[Math.floor(times / 2)];
}

/** Paths of all files below a folder, in an order that stays. */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();
}

/** Resident memory of a process and its children in MB. Files in memory, the binary above all, are the same pages: they count once. */
export function familyMemoryMb(pid) {
  const family = withChildren(pid).map(memoryOf);
  const own = family.reduce((total, { own }) => total + own, 0);
  return (own + Math.max(...family.map(({ ofFiles }) => ofFiles))) / 1e6;
}

function withChildren(pid) {
  return [pid, ...childrenOf(pid).flatMap(withChildren)];
}

/** Bytes; none of a process that has ended. */
function memoryOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const bytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
    return { own: bytes('RssAnon'), ofFiles: bytes('RssFile') + bytes('RssShmem') };
  } catch {
    return { own: 0, ofFiles: 0 };
  }
}

export function residentBytes(pid) {
  try {
    const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return resident === null ? 0 : Number(resident[1]) * 1024;
  } catch {
    return 0;
  }
}

export function childrenOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

export function report(name, value, limit, unit = '') {
  print(name, value, unit, limit === undefined ? undefined : { limit: `limit ${limit}${unit}`, ok: value <= limit });
}

/** For rates: the limit is the least that is wanted. */
export function reportAtLeast(name, value, limit, unit = '') {
  print(name, value, unit, { limit: `at least ${limit}${unit}`, ok: value >= limit });
}

function print(name, value, unit, verdict) {
  const judged = verdict === undefined ? '' : `  (${verdict.limit}: ${verdict.ok ? 'ok' : 'MISSED'})`;
  console.log(`${name.padEnd(62)} ${String(Math.round(value * 1000) / 1000).padStart(9)}${unit}${judged}`);
}
