import type { SandboxLevel } from './isolation/candidates.js';
import { Isolation } from './isolation/isolation.js';
import { ExtractionPool, type ExtractionPoolOptions } from './pool/extraction-pool.js';

/** A pool whose processes are isolated as `extractor.sandbox` says. */
export function isolatedPool(
  level: SandboxLevel,
  options: Omit<ExtractionPoolOptions, 'isolation' | 'sandboxModule'>,
): ExtractionPool {
  const isolation = new Isolation(level, options.logger);
  return new ExtractionPool({ ...options, isolation, replacesAfterFaults: level === 'strict' });
}
