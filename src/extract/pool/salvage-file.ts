import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Salvage } from '../sandbox/salvage-log.js';

/** The file into which a process writes what a long document has given so far. It has no name, so nothing is left behind. */
export class SalvageFile {
  /** To be handed to the process; undefined when no file could be had. */
  readonly descriptor: number | undefined = openNameless();

  /** What the document that the process worked on has given; undefined when it was too quick to write anything. */
  read(): Salvage | undefined {
    if (this.descriptor === undefined) return undefined;
    const bytes = Buffer.alloc(fstatSync(this.descriptor).size);
    const length = readSync(this.descriptor, bytes, 0, bytes.length, 0);
    const lines = bytes.toString('utf8', 0, length).split('\n');
    // Behind the last line end there is nothing, or a line that was not finished.
    return merge(lines.slice(0, -1).map((line) => JSON.parse(line) as Salvage));
  }

  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
  }
}

function merge(pieces: readonly Salvage[]): Salvage | undefined {
  const last = pieces.at(-1);
  if (last === undefined) return undefined;
  return {
    ...last,
    text: pieces.map(({ text }) => text).join(''),
    members: pieces.flatMap(({ members }) => members),
    warnings: pieces.flatMap(({ warnings }) => warnings),
  };
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
