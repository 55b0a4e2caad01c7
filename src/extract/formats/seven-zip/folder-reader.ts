import { crc32 } from 'node:zlib';
import { CrawlerError } from '../../../base/errors.js';
import { isEncrypted, unpackFolder, type UnpackOptions } from './unpack-folder.js';
import type { Folder, FolderPart } from './streams-info.js';

/** What could be read of a part, and what kept it from being whole. */
export interface PartContent {
  readonly bytes: Buffer | undefined;
  readonly fault: CrawlerError | undefined;
}

/**
 * Reads the parts of a folder in order, unpacking no further than needed. A wrong password shows in the first part: with each
 * password the folder is begun anew until its checksum is right.
 */
export class FolderReader {
  readonly #archive: Buffer;
  readonly #folder: Folder;
  readonly #options: Omit<UnpackOptions, 'password'>;
  #pieces: Iterator<Uint8Array> | undefined;
  #rest: Uint8Array = new Uint8Array(0);
  #fault: CrawlerError | undefined;
  #next = 0;

  constructor(archive: Buffer, folder: Folder, options: Omit<UnpackOptions, 'password'>) {
    this.#archive = archive;
    this.#folder = folder;
    this.#options = options;
  }

  get isEncrypted(): boolean {
    return isEncrypted(this.#folder);
  }

  get hasMore(): boolean {
    return this.#next < this.#folder.parts.length;
  }

  /** The first part, with the first password that fits, which is returned too. */
  readFirst(passwords: readonly string[]): { content: PartContent; password: string | undefined } {
    if (!this.isEncrypted) return { content: this.readNext(), password: undefined };
    for (const password of passwords) {
      this.#begin(password);
      const content = this.readNext();
      if (content.fault === undefined) return { content, password };
      if (content.fault.code !== 'corrupt') return { content, password: undefined };
    }
    this.#fault = new CrawlerError('encrypted', 'The 7z archive is encrypted and no password opens it.');
    this.#next = 1;
    return { content: { bytes: undefined, fault: this.#fault }, password: undefined };
  }

  readNext(): PartContent {
    if (this.#pieces === undefined) this.#begin('');
    const part = this.#folder.parts[this.#next++];
    if (part === undefined) return { bytes: undefined, fault: this.#fault };
    if (this.#fault !== undefined) return { bytes: undefined, fault: this.#fault };
    return this.#read(part);
  }

  #begin(password: string): void {
    this.#pieces = unpackFolder(this.#archive, this.#folder, { ...this.#options, password });
    this.#rest = new Uint8Array(0);
    this.#fault = undefined;
    this.#next = 0;
  }

  #read({ size, checksum }: FolderPart): PartContent {
    const pieces: Buffer[] = [];
    let left = size;
    while (left > 0 && this.#fill()) {
      const taken = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(taken.length);
      // A piece is overwritten by the next one.
      pieces.push(Buffer.from(taken));
      left -= taken.length;
    }
    const bytes = Buffer.concat(pieces);
    if (left > 0) {
      this.#fault ??= new CrawlerError('corrupt', 'The packed data is damaged or cut off.');
      return { bytes: this.isEncrypted || bytes.length === 0 ? undefined : bytes, fault: this.#fault };
    }
    if (checksum === undefined || crc32(bytes) === checksum) return { bytes, fault: undefined };
    const fault = new CrawlerError('corrupt', 'A checksum in the 7z archive does not match.');
    return { bytes: this.isEncrypted ? undefined : bytes, fault };
  }

  /** False when nothing more comes. */
  #fill(): boolean {
    if (this.#rest.length > 0) return true;
    try {
      const next = this.#pieces?.next();
      if (next === undefined || next.done === true) return false;
      this.#rest = next.value;
      return true;
    } catch (error) {
      if (!(error instanceof CrawlerError)) throw error;
      this.#fault = error;
      return false;
    }
  }
}
