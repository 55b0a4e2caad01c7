import { describe, expect, test } from '@jest/globals';
import {
  next,
  reportedState,
  type LifecycleEvent,
  type LifecycleRules,
  type LifecycleState,
} from '../../../src/crawler/lifecycle.js';

const ENDLESS: LifecycleRules = { loops: -1, staysUp: false };
const ONCE: LifecycleRules = { loops: 1, staysUp: false };
const ONCE_WITH_REST: LifecycleRules = { loops: 1, staysUp: true };

const fresh: LifecycleState = { phase: 'new' };
const scanning: LifecycleState = { phase: 'scanning', run: 1, failures: 0 };
const shaky: LifecycleState = { phase: 'scanning', run: 1, failures: 3 };
const tenth: LifecycleState = { phase: 'scanning', run: 1, failures: 9 };
const held: LifecycleState = { phase: 'held', run: 1, failures: 0 };
const backingOff: LifecycleState = { phase: 'backing_off', run: 1, failures: 2 };
const waiting: LifecycleState = { phase: 'waiting', run: 1, sticky: false, failed: false };
const sticky: LifecycleState = { phase: 'waiting', run: 1, sticky: true, failed: false };
const finished: LifecycleState = { phase: 'finished', run: 1, failed: false };
const closed: LifecycleState = { phase: 'closed' };

type Row = [
  from: LifecycleState,
  event: LifecycleEvent['kind'],
  rules: LifecycleRules,
  to: LifecycleState,
  effects: string[],
];

/** The transition table of the specification, and the rows that it leaves open. */
const rows: Row[] = [
  [fresh, 'start', ENDLESS, scanning, ['cancel_wait', 'start_scan']],
  [fresh, 'pause', ENDLESS, fresh, []],
  // a crawl run ends → wait between runs
  [scanning, 'scan_completed', ENDLESS, waiting, ['wait_between_runs', 'save_checkpoint']],
  [scanning, 'scan_failed', ENDLESS, { ...waiting, failed: true }, ['wait_between_runs', 'save_checkpoint']],
  [scanning, 'scan_completed', ONCE, finished, ['save_checkpoint', 'end']],
  [scanning, 'scan_failed', ONCE, { ...finished, failed: true }, ['save_checkpoint', 'end']],
  [scanning, 'scan_completed', ONCE_WITH_REST, finished, ['save_checkpoint']],
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
  [held, 'scan_completed', ENDLESS, waiting, ['wait_between_runs', 'save_checkpoint']],
  [held, 'scan_failed', ONCE, { ...finished, failed: true }, ['save_checkpoint', 'end']],
  [held, 'connection_failed', ENDLESS, { ...held, failures: 1 }, ['save_checkpoint']],
  [scanning, 'resume', ENDLESS, scanning, []],
  [backingOff, 'resume', ENDLESS, backingOff, []],
  // network errors
  [scanning, 'connection_failed', ENDLESS, { ...backingOff, failures: 1 }, ['save_checkpoint', 'back_off']],
  [tenth, 'connection_failed', ENDLESS, { ...waiting, failed: true }, ['wait_between_runs', 'save_checkpoint']],
  [tenth, 'connection_failed', ONCE, { ...finished, failed: true }, ['save_checkpoint', 'end']],
  [backingOff, 'backoff_elapsed', ENDLESS, { ...scanning, failures: 2 }, ['start_scan']],
  [backingOff, 'pause', ENDLESS, { ...held, failures: 2 }, ['cancel_wait', 'hold_scan', 'save_checkpoint']],
  [shaky, 'progressed', ENDLESS, scanning, []],
  // the runs of --loop N are done and the service stays up
  [finished, 'resume', ONCE_WITH_REST, { ...scanning, run: 2 }, ['cancel_wait', 'start_scan']],
  [finished, 'pause', ONCE_WITH_REST, finished, []],
  // closing
  [scanning, 'close', ENDLESS, closed, ['cancel_wait', 'stop_scan', 'save_checkpoint']],
  [held, 'close', ENDLESS, closed, ['cancel_wait', 'stop_scan', 'save_checkpoint']],
  [backingOff, 'close', ENDLESS, closed, ['cancel_wait', 'stop_scan', 'save_checkpoint']],
  [waiting, 'close', ENDLESS, closed, ['cancel_wait']],
  [finished, 'close', ENDLESS, closed, ['cancel_wait']],
  [closed, 'resume', ENDLESS, closed, []],
  [closed, 'pause', ENDLESS, closed, []],
  [closed, 'close', ENDLESS, closed, []],
];

test.each(rows)('%j + %s', (from, kind, rules, to, effects) => {
  const result = next(from, { kind }, rules);
  expect(result.state).toEqual(to);
  expect(result.effects.map((effect) => effect.kind)).toEqual(effects);
});

test('a pause by a person outlives a restart', () => {
  expect(next(fresh, { kind: 'start', held: true }, ENDLESS).state).toMatchObject({ phase: 'waiting', sticky: true });
});

test('the wait after connection failures starts at one second and doubles, and the tenth ends the run', () => {
  let state: LifecycleState = scanning;
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
