import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The other end of a source: what a test puts there. */
export interface SourceTree {
  /** The folder, as the source knows it. */
  readonly root: string;
  write(path: string, bytes: Uint8Array | string): Promise<void>;
  remove(path: string): Promise<void>;
  /** An empty folder; absent where there is no such thing. */
  readonly makeFolder?: (path: string) => Promise<void>;
}

/** A folder of this machine that a server shows as `root`. */
export function folderTree(folder: string, root: string): SourceTree {
  // In the past, so that no date of a test is the present minute by chance.
  let writtenMs = Date.parse('2024-03-01T12:00:00Z');
  return {
    root,
    write: (path, bytes) => {
      const target = join(folder, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, bytes);
      writtenMs += 120_000;
      utimesSync(target, writtenMs / 1000, writtenMs / 1000);
      return Promise.resolve();
    },
    remove: (path) => {
      rmSync(join(folder, path), { recursive: true });
      return Promise.resolve();
    },
    makeFolder: (path) => {
      mkdirSync(join(folder, path), { recursive: true });
      return Promise.resolve();
    },
  };
}
