import type { CrawlerState } from './control.js';

/**
 * When the crawler runs: a pure state machine. `crawler.ts` feeds it events and carries out its effects; its test is the
 * transition table of docs/crawler.md, row by row.
 *
 *   phase        reported   meaning
 *   new          STOPPED    built, not started
 *   scanning     RUNNING    a scan is running
 *   backing_off  RUNNING    the source or the engine could not be reached; the scan resumes after a wait
 *   held         PAUSED     a person paused it in the middle of a scan
 *   waiting      PAUSED     between two runs (ERROR when the last one failed); `sticky` after a pause by a person
 *   finished     COMPLETED  the runs of --loop N are done and the service stays up (ERROR when the last one failed)
 *   closed       STOPPED    shut down
 */
type Phase =
  | { readonly phase: 'new' }
  | { readonly phase: 'scanning' | 'held' | 'backing_off'; readonly run: number; readonly failures: number }
  | { readonly phase: 'waiting'; readonly run: number; readonly sticky: boolean; readonly failed: boolean }
  | { readonly phase: 'finished'; readonly run: number; readonly failed: boolean }
  /** `interrupted`: a run was not over. */
  | { readonly phase: 'closed'; readonly interrupted: boolean };

/** What is true in every phase. */
interface CrawlFacts {
  /** The newest scan of the tree: `none` before the first and after its end, `unfinished` while nobody works on it. */
  readonly scan: 'none' | 'unfinished' | 'running';
  /** This process has scanned: an unfinished scan before that is another process's. */
  readonly hasScanned: boolean;
  /** A person paused the crawler and nobody has resumed it: that outlives a restart. */
  readonly pausedByUser: boolean;
}

export type LifecycleState = Phase & CrawlFacts;

export const NEW_LIFECYCLE: LifecycleState = { phase: 'new', scan: 'none', hasScanned: false, pausedByUser: false };

export type LifecycleEvent =
  /** Where the last process left off. */
  | { readonly kind: 'restored'; readonly unfinished: boolean; readonly pausedByUser: boolean }
  /** @property mayStayHeld a pause by a person outlives the restart (somebody can resume it) */
  | { readonly kind: 'start'; readonly mayStayHeld: boolean }
  /** The scan is not running any more; what that means for the run follows. `began`: it has come as far as the tree. */
  | { readonly kind: 'scan_ended'; readonly completed: boolean; readonly began: boolean }
  /** The unfinished scan was forgotten: the next one begins at the root. */
  | { readonly kind: 'progress_discarded' }
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
  /** `resume` continues the unfinished scan, which another process began where `afterRestart` is set. */
  | { readonly kind: 'start_scan'; readonly resume: boolean; readonly afterRestart: boolean }
  | { readonly kind: 'hold_scan' | 'continue_scan' | 'stop_scan' | 'save_checkpoint' }
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
  const { phase, effects } = phaseAfter(state, event, rules);
  const starts = effects.some(({ kind }) => kind === 'start_scan');
  const facts = factsAfter(state, event);
  return {
    state: { ...phase, ...facts, ...(starts ? { scan: 'running' as const, pausedByUser: false } : {}) },
    effects: effects.map((effect) => (effect.kind === 'start_scan' ? startOf(state) : effect)),
  };
}

function startOf({ scan, hasScanned }: CrawlFacts): LifecycleEffect {
  const resume = scan === 'unfinished';
  return { kind: 'start_scan', resume, afterRestart: resume && !hasScanned };
}

function factsAfter(state: LifecycleState, event: LifecycleEvent): CrawlFacts {
  const { scan, hasScanned } = state;
  const facts = { scan, hasScanned, pausedByUser: pausedAfter(state, event) };
  switch (event.kind) {
    case 'restored':
      return { ...facts, scan: event.unfinished ? 'unfinished' : scan };
    case 'scan_ended':
      return { ...facts, scan: event.completed ? 'none' : 'unfinished', hasScanned: hasScanned || event.began };
    case 'progress_discarded':
      return { ...facts, scan: 'none' };
    default:
      return facts;
  }
}

function pausedAfter({ phase, pausedByUser }: LifecycleState, event: LifecycleEvent): boolean {
  switch (event.kind) {
    case 'restored':
      return event.pausedByUser;
    case 'start':
      return event.mayStayHeld && pausedByUser;
    case 'pause':
      return pausedByUser || (phase !== 'new' && phase !== 'closed');
    case 'resume':
      return pausedByUser && phase === 'closed';
    default:
      return pausedByUser;
  }
}

function phaseAfter(state: LifecycleState, event: LifecycleEvent, rules: LifecycleRules): Step {
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
function close(state: LifecycleState): Step {
  const interrupts = state.phase === 'scanning' || state.phase === 'held' || state.phase === 'backing_off';
  if (!interrupts) return to({ phase: 'closed', interrupted: false }, 'cancel_wait');
  return to({ phase: 'closed', interrupted: true }, 'cancel_wait', 'stop_scan', 'save_checkpoint');
}

type StepEffect = Exclude<LifecycleEffect, { kind: 'start_scan' }> | { readonly kind: 'start_scan' };

/** A transition of the phase alone. */
interface Step {
  readonly phase: Phase;
  readonly effects: readonly StepEffect[];
}

type Scanning = LifecycleState & { readonly phase: 'scanning' | 'held' | 'backing_off' };

function fromNew(state: LifecycleState, event: LifecycleEvent): Step {
  if (event.kind !== 'start') return stay(state);
  // A pause by a person outlives a restart: the scan waits for `resume`.
  if (event.mayStayHeld && state.pausedByUser) return to({ phase: 'waiting', run: 0, sticky: true, failed: false });
  return startRun(1);
}

function fromScanning(state: Scanning, event: LifecycleEvent, rules: LifecycleRules): Step {
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

function fromHeld(state: Scanning, event: LifecycleEvent, rules: LifecycleRules): Step {
  switch (event.kind) {
    case 'resume':
      return to(
        { ...state, phase: 'scanning' },
        state.scan === 'running' ? 'continue_scan' : 'start_scan',
        'save_checkpoint',
      );
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

function fromWaiting(state: LifecycleState & { phase: 'waiting' }, event: LifecycleEvent): Step {
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

function connectionFailed(state: Scanning, rules: LifecycleRules): Step {
  const failures = state.failures + 1;
  if (failures >= MAX_FAILURES) return endRun(state.run, true, rules);
  return {
    phase: { phase: 'backing_off', run: state.run, failures },
    effects: [{ kind: 'save_checkpoint' }, { kind: 'back_off', delayMs: FIRST_BACKOFF_MS * 2 ** (failures - 1) }],
  };
}

function startRun(run: number): Step {
  return to({ phase: 'scanning', run, failures: 0 }, 'cancel_wait', 'start_scan');
}

function endRun(run: number, failed: boolean, rules: LifecycleRules): Step {
  const isLast = rules.loops > 0 && run >= rules.loops;
  if (!isLast) return to({ phase: 'waiting', run, sticky: false, failed }, 'wait_between_runs', 'save_checkpoint');
  if (rules.staysUp) return to({ phase: 'finished', run, failed }, 'save_checkpoint');
  return {
    phase: { phase: 'finished', run, failed },
    effects: [{ kind: 'save_checkpoint' }, { kind: 'end', failed }],
  };
}

type PlainEffect = Exclude<LifecycleEffect['kind'], 'back_off' | 'end'>;

function to(phase: Phase, ...effects: readonly PlainEffect[]): Step {
  return { phase, effects: effects.map((kind) => ({ kind })) };
}

function stay(phase: Phase): Step {
  return { phase, effects: [] };
}
