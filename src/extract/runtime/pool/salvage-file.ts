import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentLimits } from '../../limits.js';
import { MOST_PARTIAL_BYTES } from '../channel/answer-limits.js';
import type { PartialResult } from '../channel/check-extraction.js';
import { readPartialResult } from '../channel/read-partial-result.js';

/** The file into which a process writes what a long document has given so far. It has no name, so nothing is left behind. */
export class SalvageFile {
  /** To be handed to the process; undefined when no file could be had. */
  readonly descriptor: number | undefined = openNameless();

  /**
   * What the document that the process worked on has given; undefined when it was too quick to write anything. The process may
   * have written anything at all: what is not a partial result, and what stands behind it, is left out.
   */
  read(limits: DocumentLimits): PartialResult | undefined {
    if (this.descriptor === undefined) return undefined;
    try {
      const bytes = Buffer.alloc(Math.min(MOST_PARTIAL_BYTES, fstatSync(this.descriptor).size));
      const length = readSync(this.descriptor, bytes, 0, bytes.length, 0);
      return readPartialResult(bytes.subarray(0, length), limits);
    } catch {
      return undefined;
    }
  }

  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
  }
}

function openNameless(): number | undefined {
  const path = join(tmpdir(), `crawler-salvage-${randomUUID()}`);
  try {
    const descriptor = openSync(path, 'wx+', 0o600);
    rmSync(path);
    return descriptor;
  } catch {
    return undefined;
  }
}
