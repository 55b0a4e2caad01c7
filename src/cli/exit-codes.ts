import type { ErrorCode } from '../base/errors.js';

/** The exit codes of the program, and the only place that maps errors to them. A clean stop by a signal is 0. */
export const EXIT_OK = 0;
/** Settings, engine, or a run that ended in ERROR; `crawler search` without any hit is 0. */
export const EXIT_FAILURE = 1;
/** The command line itself is wrong. */
export const EXIT_USAGE = 2;

export function exitCodeOf(code: ErrorCode): number {
  return code === 'usage' ? EXIT_USAGE : EXIT_FAILURE;
}
