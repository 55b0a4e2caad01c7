import type { Readable } from 'node:stream';
import type { Entry } from '../model/entry.js';
import type { TreeSource } from './source.js';

/** Where the bytes of a file are. */
export type FileContent =
  /** On this machine: they are read where they lie. */
  | { readonly kind: 'path'; readonly path: string | Uint8Array }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** Elsewhere. Nothing is transferred before it is opened, and it may be opened again. */
  | { readonly kind: 'stream'; open(signal: AbortSignal): Promise<Readable> };

/** The content of a file that a source has listed. Opens nothing. */
export function contentOf(source: Pick<TreeSource, 'localPath' | 'read'>, entry: Entry): FileContent {
  const path = source.localPath(entry);
  return path === undefined ? { kind: 'stream', open: (signal) => source.read(entry, signal) } : { kind: 'path', path };
}
