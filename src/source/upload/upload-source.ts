import type { Readable } from 'node:stream';
import type { Entry } from '../../model/entry.js';
import type { FileSource } from '../source.js';
import type { SpooledFile } from '../spool.js';

/** One uploaded document: its bytes lie in the spool, its name is what the sender called it. */
export class UploadSource implements FileSource {
  readonly type = 'upload';
  readonly #name: string;
  readonly #file: SpooledFile;

  constructor(name: string, file: SpooledFile) {
    this.#name = name;
    this.#file = file;
  }

  stat(): Promise<Entry> {
    return Promise.resolve({
      name: this.#name,
      path: this.#name,
      kind: 'file',
      size: this.#file.size,
      modifiedMs: undefined,
      changedMs: undefined,
      createdMs: undefined,
      accessedMs: undefined,
      device: 0,
      inode: 0,
      version: undefined,
    });
  }

  read(): Promise<Readable> {
    return Promise.resolve(this.#file.read());
  }

  localPath(): string | undefined {
    return this.#file.path;
  }

  urlOf(): undefined {
    return undefined;
  }

  close(): Promise<void> {
    return this.#file.remove();
  }
}
