import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { makeCodeFolder } from './code-folder.js';

/** Code of V8 for one module. The checksums are those of the source that it was made from, and of itself. */
export interface CompiledModule {
  readonly source: number;
  readonly checksum: number;
  readonly code: Buffer;
}

type Entry = readonly [name: string, source: number, checksum: number, bytes: number];

const LENGTH_BYTES = 4;

/**
 * The file is the length of its table (32 bits, little-endian), the table as JSON, and the code of one module after the other.
 *
 * @returns by the names of the modules; nothing of a file that is absent or of another shape
 */
export function readCode(path: string): ReadonlyMap<string, CompiledModule> {
  const modules = new Map<string, CompiledModule>();
  try {
    const file = readFileSync(path);
    let at = LENGTH_BYTES + file.readUInt32LE(0);
    for (const [name, source, checksum, bytes] of JSON.parse(file.toString('utf8', LENGTH_BYTES, at)) as Entry[]) {
      modules.set(name, { source, checksum, code: file.subarray(at, at + bytes) });
      at += bytes;
    }
  } catch {
    // It is made again.
  }
  return modules;
}

/**
 * Nothing is written of modules that are not in the library any more. Throws where nothing can be written.
 *
 * @param makesFolder otherwise nothing can be written where the folder is missing
 */
export function writeCode(
  path: string,
  modules: ReadonlyMap<string, CompiledModule>,
  { library, makesFolder }: { readonly library: string; readonly makesFolder: boolean },
): void {
  const present = [...modules].filter(([name]) => existsSync(join(library, name)));
  const table: Entry[] = present.map(([name, { source, checksum, code }]) => [name, source, checksum, code.length]);
  const text = Buffer.from(JSON.stringify(table));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  // Programs and threads may end at the same time: each has a name of its own until it is complete.
  const temporary = `${path}.${process.pid}-${threadId}`;
  try {
    if (makesFolder) makeCodeFolder(dirname(path));
    writeFileSync(temporary, Buffer.concat([length, text, ...present.map(([, { code }]) => code)]), {
      flag: 'wx',
      mode: 0o600,
    });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
