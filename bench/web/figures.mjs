// Times, percentiles and processor time of the web benches.
import { readFileSync } from 'node:fs';
import { report } from '../measure.mjs';

/** The first one warms up. Other work on the machine changes the time that passes, and little of the processor's. */
export function percentilesOf({ child }) {
  return async (name, limit, times, work) => {
    await work();
    const all = [];
    const before = processorMs(child.pid);
    for (let at = 0; at < times; at += 1) all.push((await timed(work))[0]);
    const cost = (processorMs(child.pid) - before) / times;
    report(`${name}, p95 of ${times}`, p(all, 0.95), limit, ' ms');
    report('  processor time of each', cost, limit, ' ms');
  };
}

/** Of a process, since its start. */
export function processorMs(pid) {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

export async function timed(work) {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}

export function p(list, share) {
  return list.sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))];
}

export function sum(list) {
  return list.reduce((total, each) => total + each, 0);
}
