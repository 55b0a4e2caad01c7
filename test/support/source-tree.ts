import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The other end of a source: what a test puts there. */
export interface SourceTree {
  /** The folder, as the source knows it. */
  readonly root: string;
  /** Resolves with the date that the file was given, or undefined when it is the server that dates. */
  write(path: string, bytes: Uint8Array | string): Promise<number | undefined>;
  remove(path: string): Promise<void>;
  /** An empty folder; absent where there is no such thing. */
  readonly makeFolder?: (path: string) => Promise<void>;
}

/** A folder of this machine that a server shows as `root`. */
export function folderTree(folder: string, root: string): SourceTree {
  // Each on a day of its own, all long ago: listings for people show no more of such a date.
  let writtenMs = Date.parse('2010-03-01T12:34:56Z');
  return {
    root,
    write: (path, bytes) => {
      const target = join(folder, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, bytes);
      writtenMs += 86_400_000;
      utimesSync(target, writtenMs / 1000, writtenMs / 1000);
      return Promise.resolve(writtenMs);
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
