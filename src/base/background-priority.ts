import { readlinkSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/** Steps of `nice`: when both want the processor, a third of the time of what answers people. */
const STEPS = 5;
/** A tenth of the time. Much less, and it would hardly get on where a machine is never idle. */
const STEPS_OF_CHORES = 10;
/** There is none lower. */
const LOWEST = 19;

/** A process that was just started, and is the first of its session, works in the background from now on. */
export function lowerPriorityOf(processId: number | undefined): void {
  if (processId === undefined) return;
  lower(processId);
  // Where Linux shares the processor among sessions (autogroup), their own priorities decide.
  attempt(() => writeFileSync(`/proc/${processId}/autogroup`, String(STEPS)));
}

/** This process does, from now on, what nobody waits for. */
export function lowerPriorityOfChore(): void {
  lower(process.pid, STEPS_OF_CHORES);
}

/** The current thread works in the background from now on. Only Linux has priorities of threads. */
export function lowerPriorityOfThread(): void {
  attempt(() => lower(Number(basename(readlinkSync('/proc/thread-self')))));
}

/** Below the main thread, which may itself have been started under `nice`. Nobody may raise what is lower already. */
function lower(id: number, steps = STEPS): void {
  attempt(() => {
    const background = Math.min(LOWEST, getPriority(process.pid) + steps);
    if (getPriority(id) < background) setPriority(id, background);
  });
}

/** Works as well without: at worst an answer has to wait. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // Another system, one that forbids it, or a process that has ended.
  }
}
