import type { Problem } from '../../../model/reason.js';
import { inMegabytes, type WorkerLimits } from '../../limits.js';
import type { ProcessEnd } from './worker-process.js';
import type { EndReason } from './worker.js';

/** How V8 and the library of C++ report that memory is exhausted. */
const OUT_OF_MEMORY =
  /out of memory|bad_alloc|Reached heap limit|Invalid (?:array|string) length|invalid size error|Array buffer allocation failed/i;

/** Why the process ended, as a problem of its current document. */
export function problemOf(reason: EndReason, end: ProcessEnd, limits: WorkerLimits): Problem {
  if (reason === 'timed_out') {
    return { reason, message: `Extraction was stopped after ${limits.documentMs / 1000} s.` };
  }
  if (reason === 'too_large') {
    return {
      reason,
      message: `Extraction was stopped: it needed more than ${inMegabytes(limits.memoryBytes)} of memory.`,
    };
  }
  if (end.fault !== undefined) {
    return { reason: 'crashed', message: `The extraction process sent an invalid answer: ${end.fault}.` };
  }
  if (OUT_OF_MEMORY.test(end.stderrTail)) {
    return { reason: 'too_large', message: `Extraction needed more than ${limits.heapMib} MB of heap.` };
  }
  const how = end.signal === null ? `exit code ${end.code ?? 'unknown'}` : `signal ${end.signal}`;
  return { reason: 'crashed', message: `The extraction process crashed on it (${how}).` };
}
