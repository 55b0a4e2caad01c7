import { readFileSync } from 'node:fs';
import { freemem, totalmem } from 'node:os';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { packageRoot, packageVersion } from '../../base/package-root.js';
import { printByteSize } from '../../base/units.js';
import type { JobSettings } from '../../settings/job-settings.js';
import { ok, warning, broken, type Check } from './check.js';

/** What holds for every job on this machine. */
export function nodeCheck(node = process.versions.node, now = new Date()): Check {
  const text = `crawler ${packageVersion()} on Node ${node}, ${process.platform} ${process.arch}`;
  const wanted = wantedNode();
  if (!isAtLeast(node, wanted)) return broken('node', text, `Install Node ${wanted} or newer.`);
  const major = Number.parseInt(node, 10);
  const end = LAST_DAYS.get(major);
  if (end === undefined || now.getTime() < Date.parse(end)) return ok('node', text);
  const remedy = `Install Node 24: the crawler works with Node ${major}, but Node ${major} has had no security fixes since ${end}.`;
  return warning('node', text, remedy);
}

/** Of the lines of Node that the crawler runs on: the day after which there are no more fixes (github.com/nodejs/release). */
const LAST_DAYS: ReadonlyMap<number, string> = new Map([
  [20, '2026-04-30'],
  [21, '2024-06-01'],
  [22, '2027-04-30'],
  [23, '2025-06-01'],
  [24, '2028-04-30'],
  [25, '2026-06-01'],
]);

/** Each extraction process may take its limit: together they should fit into memory. */
export function memoryCheck({ extractor }: JobSettings): Check {
  const processes = extractor.processes ?? availableParallelism();
  const most = processes * extractor.limits.memoryBytes;
  const text = `${printByteSize(totalmem())}, ${printByteSize(freemem())} free; ${processes} extraction processes of at most ${printByteSize(extractor.limits.memoryBytes)}`;
  if (most <= totalmem()) return ok('memory', text);
  return warning(
    'memory',
    text,
    'Lower extractor.processes or extractor.limits.memory_bytes: together they may take more than there is.',
  );
}

function wantedNode(): string {
  const { engines } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    engines: { node: string };
  };
  return engines.node.replace(/^\D+/, '');
}

function isAtLeast(version: string, wanted: string): boolean {
  const [have, want] = [version, wanted].map((text) => text.split('.').map(Number));
  for (const at of [0, 1, 2]) {
    const difference = (have?.[at] ?? 0) - (want?.[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
