import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentLimits } from '../../limits.js';
import { MOST_PARTIAL_BYTES } from '../channel/answer-limits.js';
import type { PartialResult } from '../channel/check-extraction.js';
import { readPartialResult } from '../channel/read-partial-result.js';

/** The file to which a process writes the partial result of a slow document. It is unlinked at once, so nothing is left behind. */
export class PartialResultFile {
  /** To be inherited by the process; undefined when no file could be created. */
  readonly descriptor: number | undefined = openNameless();

  /**
   * The partial result of the current document; undefined when the process has written none. The process may have written
   * anything: from the first byte on that is not part of a partial result, the file is ignored.
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
  const path = join(tmpdir(), `crawler-partial-${randomUUID()}`);
  try {
    const descriptor = openSync(path, 'wx+', 0o600);
    rmSync(path);
    return descriptor;
  } catch {
    return undefined;
  }
}
