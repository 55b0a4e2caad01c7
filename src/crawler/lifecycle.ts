import type { CrawlerState } from './control.js';

/**
 * When the crawler runs: a pure state machine. `crawler.ts` feeds it events and carries out its effects; its test is the
 * transition table of docs/crawler.md, row by row.
 *
 *   phase        reported   meaning
 *   new          STOPPED    built, not started
 *   scanning     RUNNING    a scan is at work
 *   backing_off  RUNNING    the source or the engine could not be reached; the scan goes on after a wait
 *   held         PAUSED     a person paused it in the middle of a scan
 *   waiting      PAUSED     between two runs (ERROR when the last one failed); `sticky` after a pause by a person
 *   finished     COMPLETED  the runs of --loop N are done and the service stays up (ERROR when the last one failed)
 *   closed       STOPPED    shut down
 */
export type LifecycleState =
  | { readonly phase: 'new' }
  | { readonly phase: 'scanning' | 'held' | 'backing_off'; readonly run: number; readonly failures: number }
  | { readonly phase: 'waiting'; readonly run: number; readonly sticky: boolean; readonly failed: boolean }
  | { readonly phase: 'finished'; readonly run: number; readonly failed: boolean }
  | { readonly phase: 'closed' };

export type LifecycleEvent =
  | { readonly kind: 'start'; readonly held?: boolean }
  | { readonly kind: 'progressed' }
  | { readonly kind: 'scan_completed' }
  | { readonly kind: 'scan_failed' }
  | { readonly kind: 'connection_failed' }
  | { readonly kind: 'backoff_elapsed' }
  | { readonly kind: 'interval_elapsed' }
  /** There is a reason for a run now, whatever the schedule says. */
  | { readonly kind: 'due' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'close' };

export type LifecycleEffect =
  | { readonly kind: 'start_scan' | 'hold_scan' | 'continue_scan' | 'stop_scan' | 'save_checkpoint' }
  | { readonly kind: 'wait_between_runs' | 'cancel_wait' }
  | { readonly kind: 'back_off'; readonly delayMs: number }
  | { readonly kind: 'end'; readonly failed: boolean };

export interface LifecycleRules {
  /** Runs to make; negative is endless. */
  readonly loops: number;
  /** The service stays up after the last run. */
  readonly staysUp: boolean;
}

export interface Transition {
  readonly state: LifecycleState;
  readonly effects: readonly LifecycleEffect[];
}

/** Consecutive connection failures after which a run ends in ERROR. */
export const MAX_FAILURES = 10;

const FIRST_BACKOFF_MS = 1000;

export function next(state: LifecycleState, event: LifecycleEvent, rules: LifecycleRules): Transition {
  if (state.phase === 'closed') return stay(state);
  if (event.kind === 'close') return close(state);
  switch (state.phase) {
    case 'new':
      return fromNew(state, event);
    case 'scanning':
    case 'backing_off':
      return fromScanning(state, event, rules);
    case 'held':
      return fromHeld(state, event, rules);
    case 'waiting':
      return fromWaiting(state, event);
    case 'finished':
      return event.kind === 'resume' || event.kind === 'due' ? startRun(state.run + 1) : stay(state);
  }
}

/** The value of `state` in the status. */
export function reportedState(state: LifecycleState): CrawlerState {
  switch (state.phase) {
    case 'new':
    case 'closed':
      return 'STOPPED';
    case 'scanning':
    case 'backing_off':
      return 'RUNNING';
    case 'held':
      return 'PAUSED';
    case 'waiting':
      return state.failed && !state.sticky ? 'ERROR' : 'PAUSED';
    case 'finished':
      return state.failed ? 'ERROR' : 'COMPLETED';
  }
}

/** Between two runs the checkpoint already says how the last one ended. */
function close(state: LifecycleState): Transition {
  const interrupts = state.phase === 'scanning' || state.phase === 'held' || state.phase === 'backing_off';
  if (!interrupts) return to({ phase: 'closed' }, 'cancel_wait');
  return to({ phase: 'closed' }, 'cancel_wait', 'stop_scan', 'save_checkpoint');
}

type Scanning = LifecycleState & { readonly phase: 'scanning' | 'held' | 'backing_off' };

function fromNew(state: LifecycleState, event: LifecycleEvent): Transition {
  if (event.kind !== 'start') return stay(state);
  // A pause by a person outlives a restart: the scan waits for `resume`.
  if (event.held === true) return to({ phase: 'waiting', run: 0, sticky: true, failed: false });
  return startRun(1);
}

function fromScanning(state: Scanning, event: LifecycleEvent, rules: LifecycleRules): Transition {
  switch (event.kind) {
    case 'progressed':
      return to({ ...state, failures: 0 });
    case 'scan_completed':
      return endRun(state.run, false, rules);
    case 'scan_failed':
      return endRun(state.run, true, rules);
    case 'connection_failed':
      return connectionFailed(state, rules);
    case 'backoff_elapsed':
      return to({ ...state, phase: 'scanning' }, 'start_scan');
    case 'pause':
      return to({ ...state, phase: 'held' }, 'cancel_wait', 'hold_scan', 'save_checkpoint');
    default:
      return stay(state);
  }
}

function fromHeld(state: Scanning, event: LifecycleEvent, rules: LifecycleRules): Transition {
  switch (event.kind) {
    case 'resume':
      return to({ ...state, phase: 'scanning' }, 'continue_scan', 'save_checkpoint');
    // What was under way when the pause came may still bring the scan to an end.
    case 'scan_completed':
      return endRun(state.run, false, rules);
    case 'scan_failed':
      return endRun(state.run, true, rules);
    case 'connection_failed':
      return to({ ...state, failures: state.failures + 1 }, 'save_checkpoint');
    default:
      return stay(state);
  }
}

function fromWaiting(state: LifecycleState & { phase: 'waiting' }, event: LifecycleEvent): Transition {
  switch (event.kind) {
    case 'resume':
      return startRun(state.run + 1);
    case 'interval_elapsed':
    case 'due':
      return state.sticky ? stay(state) : startRun(state.run + 1);
    case 'pause':
      return to({ ...state, sticky: true }, 'save_checkpoint');
    default:
      return stay(state);
  }
}

function connectionFailed(state: Scanning, rules: LifecycleRules): Transition {
  const failures = state.failures + 1;
  if (failures >= MAX_FAILURES) return endRun(state.run, true, rules);
  return {
    state: { phase: 'backing_off', run: state.run, failures },
    effects: [{ kind: 'save_checkpoint' }, { kind: 'back_off', delayMs: FIRST_BACKOFF_MS * 2 ** (failures - 1) }],
  };
}

function startRun(run: number): Transition {
  return to({ phase: 'scanning', run, failures: 0 }, 'cancel_wait', 'start_scan');
}

function endRun(run: number, failed: boolean, rules: LifecycleRules): Transition {
  const isLast = rules.loops > 0 && run >= rules.loops;
  if (!isLast) return to({ phase: 'waiting', run, sticky: false, failed }, 'wait_between_runs', 'save_checkpoint');
  if (rules.staysUp) return to({ phase: 'finished', run, failed }, 'save_checkpoint');
  return {
    state: { phase: 'finished', run, failed },
    effects: [{ kind: 'save_checkpoint' }, { kind: 'end', failed }],
  };
}

type PlainEffect = Exclude<LifecycleEffect['kind'], 'back_off' | 'end'>;

function to(state: LifecycleState, ...effects: readonly PlainEffect[]): Transition {
  return { state, effects: effects.map((kind) => ({ kind })) };
}

function stay(state: LifecycleState): Transition {
  return { state, effects: [] };
}
