import type { JobSettings } from '../settings/job-settings.js';
import { defaultLimits, OWN_END, type ExtractionLimits, type WorkerLimits } from './limits.js';

const MIB = 1024 * 1024;
/** Below that not even the libraries can be loaded. */
const LEAST_HEAP_MIB = 64;

/** `extractor.limits` as the extractors take them. */
export function extractionLimits(limits: JobSettings['extractor']['limits']): ExtractionLimits {
  const { document, worker } = defaultLimits;
  return {
    document: {
      ...document,
      outputCharacters: limits.textBytes,
      unpackedBytes: limits.unpackedBytes,
      entryBytes: Math.max(limits.unpackedBytes / 2, Math.min(document.entryBytes, limits.unpackedBytes)),
      ratio: limits.ratio,
      parts: limits.members,
      depth: limits.depth,
      timeMs: OWN_END * limits.timeMs,
      memoryBytes: OWN_END * limits.memoryBytes,
    },
    worker: { ...worker, documentMs: limits.timeMs, ...memoryOf(limits.memoryBytes) },
  };
}

/** Of the memory of a process half is for JavaScript; one that keeps two fifths is replaced, unless that is very little. */
function memoryOf(memoryBytes: number): Pick<WorkerLimits, 'memoryBytes' | 'heapMib' | 'recycleBytes'> {
  const { recycleBytes } = defaultLimits.worker;
  return {
    memoryBytes,
    heapMib: Math.max(LEAST_HEAP_MIB, Math.floor(memoryBytes / 2 / MIB)),
    recycleBytes: Math.max(0.4 * memoryBytes, Math.min(recycleBytes, 0.75 * memoryBytes)),
  };
}
