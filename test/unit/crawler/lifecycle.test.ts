import { describe, expect, test } from '@jest/globals';
import {
  NEW_LIFECYCLE,
  next,
  reportedState,
  type LifecycleEvent,
  type LifecycleRules,
  type LifecycleState,
} from '../../../src/crawler/lifecycle.js';

const ENDLESS: LifecycleRules = { loops: -1, staysUp: false };
const ONCE: LifecycleRules = { loops: 1, staysUp: false };
const ONCE_WITH_REST: LifecycleRules = { loops: 1, staysUp: true };

const idle = { scan: 'none', hasScanned: true, pausedByUser: false } as const;
const busy = { ...idle, scan: 'running' } as const;
const broken = { ...idle, scan: 'unfinished' } as const;

const fresh: LifecycleState = NEW_LIFECYCLE;
const first: LifecycleState = { phase: 'scanning', run: 1, failures: 0, ...busy, hasScanned: false };
const scanning: LifecycleState = { phase: 'scanning', run: 1, failures: 0, ...busy };
const ended: LifecycleState = { ...scanning, ...idle };
const lost: LifecycleState = { ...scanning, ...broken };
const shaky: LifecycleState = { ...scanning, failures: 3 };
const tenth: LifecycleState = { ...lost, failures: 9 };
const held: LifecycleState = { ...scanning, phase: 'held', pausedByUser: true };
const heldEnded: LifecycleState = { ...held, scan: 'none' };
const heldLost: LifecycleState = { ...held, scan: 'unfinished' };
const backingOff: LifecycleState = { phase: 'backing_off', run: 1, failures: 2, ...broken };
const waiting: LifecycleState = { phase: 'waiting', run: 1, sticky: false, failed: false, ...idle };
const failed: LifecycleState = { ...waiting, failed: true, scan: 'unfinished' };
const sticky: LifecycleState = { ...waiting, sticky: true, pausedByUser: true };
const finished: LifecycleState = { phase: 'finished', run: 1, failed: false, ...idle };
const closed: LifecycleState = { phase: 'closed', interrupted: false, ...idle };
const cut: LifecycleState = { phase: 'closed', interrupted: true, ...busy };

const event = {
  start: { kind: 'start', mayStayHeld: true },
  startAlone: { kind: 'start', mayStayHeld: false },
  restored: { kind: 'restored', unfinished: true, pausedByUser: false },
  restoredPaused: { kind: 'restored', unfinished: true, pausedByUser: true },
  completed: { kind: 'scan_ended', completed: true, began: true },
  broken: { kind: 'scan_ended', completed: false, began: true },
  neverBegan: { kind: 'scan_ended', completed: false, began: false },
} as const satisfies Record<string, LifecycleEvent>;

type PlainEvent = Exclude<LifecycleEvent['kind'], 'start' | 'restored' | 'scan_ended'>;

type Row = [
  from: LifecycleState,
  event: PlainEvent | keyof typeof event,
  rules: LifecycleRules,
  to: LifecycleState,
  effects: string[],
];

/** The transition table of the specification, and the rows that it leaves open. */
const rows: Row[] = [
  [fresh, 'start', ENDLESS, first, ['cancel_wait', 'start_scan']],
  [fresh, 'pause', ENDLESS, fresh, []],
  // a crawl run ends → wait between runs
  [ended, 'scan_completed', ENDLESS, waiting, ['wait_between_runs', 'save_checkpoint']],
  [lost, 'scan_failed', ENDLESS, failed, ['wait_between_runs', 'save_checkpoint']],
  [ended, 'scan_completed', ONCE, finished, ['save_checkpoint', 'end']],
  [lost, 'scan_failed', ONCE, { ...finished, failed: true, scan: 'unfinished' }, ['save_checkpoint', 'end']],
  [ended, 'scan_completed', ONCE_WITH_REST, finished, ['save_checkpoint']],
  // wait between runs: resume, elapsed, elapsed while explicitly paused
  [waiting, 'resume', ENDLESS, { ...scanning, run: 2 }, ['cancel_wait', 'start_scan']],
  [waiting, 'interval_elapsed', ENDLESS, { ...scanning, run: 2 }, ['cancel_wait', 'start_scan']],
  // deletions were approved
  [waiting, 'due', ENDLESS, { ...scanning, run: 2 }, ['cancel_wait', 'start_scan']],
  [sticky, 'due', ENDLESS, sticky, []],
  [finished, 'due', ONCE_WITH_REST, { ...scanning, run: 2 }, ['cancel_wait', 'start_scan']],
  [scanning, 'due', ENDLESS, scanning, []],
  [waiting, 'pause', ENDLESS, sticky, ['save_checkpoint']],
  [sticky, 'interval_elapsed', ENDLESS, sticky, []],
  [sticky, 'resume', ENDLESS, { ...scanning, run: 2 }, ['cancel_wait', 'start_scan']],
  [sticky, 'pause', ENDLESS, sticky, ['save_checkpoint']],
  // running → paused → paused → resumed
  [scanning, 'pause', ENDLESS, held, ['cancel_wait', 'hold_scan', 'save_checkpoint']],
  [held, 'pause', ENDLESS, held, []],
  [held, 'resume', ENDLESS, scanning, ['continue_scan', 'save_checkpoint']],
  [heldLost, 'resume', ENDLESS, scanning, ['start_scan', 'save_checkpoint']],
  [heldEnded, 'scan_completed', ENDLESS, { ...waiting, pausedByUser: true }, ['wait_between_runs', 'save_checkpoint']],
  [
    heldLost,
    'scan_failed',
    ONCE,
    { ...finished, failed: true, scan: 'unfinished', pausedByUser: true },
    ['save_checkpoint', 'end'],
  ],
  [heldLost, 'connection_failed', ENDLESS, { ...heldLost, failures: 1 }, ['save_checkpoint']],
  [scanning, 'resume', ENDLESS, scanning, []],
  [backingOff, 'resume', ENDLESS, backingOff, []],
  // network errors
  [lost, 'connection_failed', ENDLESS, { ...backingOff, failures: 1 }, ['save_checkpoint', 'back_off']],
  [tenth, 'connection_failed', ENDLESS, failed, ['wait_between_runs', 'save_checkpoint']],
  [tenth, 'connection_failed', ONCE, { ...finished, failed: true, scan: 'unfinished' }, ['save_checkpoint', 'end']],
  [backingOff, 'backoff_elapsed', ENDLESS, { ...scanning, failures: 2 }, ['start_scan']],
  [backingOff, 'pause', ENDLESS, { ...heldLost, failures: 2 }, ['cancel_wait', 'hold_scan', 'save_checkpoint']],
  [shaky, 'progressed', ENDLESS, scanning, []],
  // the runs of --loop N are done and the service stays up
  [finished, 'resume', ONCE_WITH_REST, { ...scanning, run: 2 }, ['cancel_wait', 'start_scan']],
  [finished, 'pause', ONCE_WITH_REST, { ...finished, pausedByUser: true }, []],
  // closing
  [scanning, 'close', ENDLESS, cut, ['cancel_wait', 'stop_scan', 'save_checkpoint']],
  [held, 'close', ENDLESS, { ...cut, pausedByUser: true }, ['cancel_wait', 'stop_scan', 'save_checkpoint']],
  [backingOff, 'close', ENDLESS, { ...cut, scan: 'unfinished' }, ['cancel_wait', 'stop_scan', 'save_checkpoint']],
  [waiting, 'close', ENDLESS, closed, ['cancel_wait']],
  [finished, 'close', ENDLESS, closed, ['cancel_wait']],
  [closed, 'resume', ENDLESS, closed, []],
  [closed, 'pause', ENDLESS, closed, []],
  [closed, 'close', ENDLESS, closed, []],
  // what the last process left behind
  [fresh, 'restored', ENDLESS, { ...fresh, scan: 'unfinished' }, []],
  [fresh, 'restoredPaused', ENDLESS, { ...fresh, scan: 'unfinished', pausedByUser: true }, []],
  [{ ...fresh, scan: 'unfinished' }, 'start', ENDLESS, first, ['cancel_wait', 'start_scan']],
  [{ ...fresh, pausedByUser: true }, 'start', ENDLESS, { ...sticky, run: 0, hasScanned: false }, []],
  [{ ...fresh, pausedByUser: true }, 'startAlone', ENDLESS, first, ['cancel_wait', 'start_scan']],
  // the scan of a run: its end is known before the run's
  [first, 'completed', ENDLESS, ended, []],
  [first, 'broken', ENDLESS, lost, []],
  [first, 'neverBegan', ENDLESS, { ...lost, hasScanned: false }, []],
  [held, 'broken', ENDLESS, heldLost, []],
  [cut, 'broken', ENDLESS, { ...cut, scan: 'unfinished' }, []],
  [cut, 'completed', ENDLESS, { ...cut, scan: 'none' }, []],
  [heldLost, 'progress_discarded', ENDLESS, heldEnded, []],
  [failed, 'progress_discarded', ENDLESS, { ...failed, scan: 'none' }, []],
  // a run that somebody lets begin ends the pause
  [{ ...finished, pausedByUser: true }, 'due', ONCE_WITH_REST, { ...scanning, run: 2 }, ['cancel_wait', 'start_scan']],
];

test.each(rows)('%j + %s', (from, kind, rules, to, effects) => {
  const result = next(from, kind in event ? event[kind as keyof typeof event] : { kind: kind as PlainEvent }, rules);
  expect(result.state).toEqual(to);
  expect(result.effects.map((effect) => effect.kind)).toEqual(effects);
});

test.each<[string, LifecycleState, { resume: boolean; afterRestart: boolean }]>([
  ['a scan that another process began', { ...fresh, scan: 'unfinished' }, { resume: true, afterRestart: true }],
  ['no scan', fresh, { resume: false, afterRestart: false }],
])('a start with %s', (_, from, expected) => {
  const { effects } = next(from, event.start, ENDLESS);
  expect(effects).toContainEqual({ kind: 'start_scan', ...expected });
});

test.each<[string, LifecycleState, { resume: boolean; afterRestart: boolean }]>([
  ['its own scan', backingOff, { resume: true, afterRestart: false }],
  ['one that it has not come to yet', { ...backingOff, hasScanned: false }, { resume: true, afterRestart: true }],
])('a lost connection continues %s', (_, from, expected) => {
  const { effects } = next(from, { kind: 'backoff_elapsed' }, ENDLESS);
  expect(effects).toEqual([{ kind: 'start_scan', ...expected }]);
});

test('the wait after connection failures starts at one second and doubles, and the tenth ends the run', () => {
  let state: LifecycleState = lost;
  const delays: number[] = [];
  for (let failure = 1; failure <= 10; failure += 1) {
    const failed = next(state, { kind: 'connection_failed' }, ENDLESS);
    const backOff = failed.effects.find((effect) => effect.kind === 'back_off');
    if (backOff?.kind === 'back_off') delays.push(backOff.delayMs);
    state = next(failed.state, { kind: 'backoff_elapsed' }, ENDLESS).state;
  }
  expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256].map((seconds) => seconds * 1000));
  expect(reportedState(state)).toBe('ERROR');
});

describe('reported state', () => {
  test.each<[LifecycleState, string]>([
    [fresh, 'STOPPED'],
    [scanning, 'RUNNING'],
    [backingOff, 'RUNNING'],
    [held, 'PAUSED'],
    [waiting, 'PAUSED'],
    [{ ...waiting, failed: true }, 'ERROR'],
    [{ ...waiting, failed: true, sticky: true }, 'PAUSED'],
    [finished, 'COMPLETED'],
    [{ ...finished, failed: true }, 'ERROR'],
    [closed, 'STOPPED'],
  ])('%j is %s', (state, reported) => {
    expect(reportedState(state)).toBe(reported);
  });
});
