import { crc32 } from 'node:zlib';
import { CrawlerError } from '../../../base/errors.js';
import { entriesByScanning } from './zip-recovery.js';
import { entriesOfDirectory } from './zip-directory.js';
import { localDataOffset, type ZipEntry, type ZipRecord } from './zip-record.js';
import { decryptEntry, type DecryptedEntry } from './zip-encryption.js';
import { codeOf, inflateEntry, inflatePrefix } from './zip-inflate.js';

/**
 * Zip archives held in memory.
 *
 * An archive is read from its central directory, the list at its end. When that list is damaged or cut off, the entries
 * are found by their local headers instead (`zip-recovery.ts`), which is what makes a truncated document readable.
 *
 * Sizes in headers are hints: nothing is believed before the bytes are there, and every inflated byte is counted while
 * it is made, so that a bomb ends early.
 */
export interface ZipArchive {
  /** In the order of the central directory (or of the file, when recovered). */
  readonly entries: readonly ZipEntry[];
  /** True when the central directory was unusable. */
  readonly recovered: boolean;
  find(name: string): ZipEntry | undefined;
  /**
   * The content. Stored entries are views into the archive's bytes.
   * Throws `corrupt` for a damaged entry (also when only its checksum says so), `encrypted` when no password opens it,
   * `unsupported` for other methods.
   */
  read(entry: ZipEntry): Uint8Array;
  /** What is readable of a damaged entry, up to the first fault; empty when nothing is. */
  readPartial(entry: ZipEntry): Uint8Array;
}

export interface ZipOptions {
  /** Told of every inflated byte; throws when a limit is reached. */
  countBytes(bytes: number): void;
  readonly passwords?: readonly string[];
}

const METHOD_STORED = 0;
const METHOD_DEFLATE = 8;

/** Throws `corrupt` when the bytes hold no zip entries at all. */
export function openZip(bytes: Uint8Array, options: ZipOptions): ZipArchive {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const listed = entriesOfDirectory(buffer);
  const records = listed ?? entriesByScanning(buffer);
  if (records.length === 0 && listed === undefined) {
    throw new CrawlerError('corrupt', 'The file is not a readable zip archive: it has no entries.');
  }
  return new MemoryZip(buffer, records, listed === undefined, options);
}

class MemoryZip implements ZipArchive {
  readonly entries: readonly ZipEntry[];
  readonly recovered: boolean;
  readonly #bytes: Buffer;
  readonly #count: (bytes: number) => void;
  readonly #records = new Map<ZipEntry, ZipRecord>();
  readonly #byName = new Map<string, ZipEntry>();
  /** The password that opened the last entry is most likely the one for the next. */
  #passwords: readonly string[];

  constructor(bytes: Buffer, records: readonly ZipRecord[], recovered: boolean, options: ZipOptions) {
    this.#bytes = bytes;
    this.#count = (count) => options.countBytes(count);
    this.#passwords = options.passwords ?? [];
    this.recovered = recovered;
    this.entries = records;
    for (const record of records) {
      this.#records.set(record, record);
      if (!this.#byName.has(record.name)) this.#byName.set(record.name, record);
    }
  }

  find(name: string): ZipEntry | undefined {
    return this.#byName.get(name);
  }

  read(entry: ZipEntry): Uint8Array {
    const record = this.#recordOf(entry);
    const raw = this.#rawBytes(record);
    if (record.encrypted) return this.#decrypt(record, raw);
    if (raw.length < record.compressedSize) throw damaged(record, 'it is cut off');
    return this.#unpack(record, record.method, raw);
  }

  readPartial(entry: ZipEntry): Uint8Array {
    const record = this.#recordOf(entry);
    if (record.encrypted) return new Uint8Array(0);
    try {
      const raw = this.#rawBytes(record);
      if (record.method === METHOD_STORED) return raw;
      return record.method === METHOD_DEFLATE ? inflatePrefix(raw, this.#count) : new Uint8Array(0);
    } catch (error) {
      if (error instanceof CrawlerError && error.code === 'corrupt') return new Uint8Array(0);
      throw error;
    }
  }

  #recordOf(entry: ZipEntry): ZipRecord {
    const record = this.#records.get(entry);
    if (record === undefined) throw new TypeError(`The entry [${entry.name}] belongs to another archive.`);
    return record;
  }

  #rawBytes(record: ZipRecord): Buffer {
    const start = localDataOffset(this.#bytes, record);
    if (start === undefined) throw damaged(record, 'its header is not where the directory says');
    return this.#bytes.subarray(start, start + record.compressedSize);
  }

  #unpack(record: ZipRecord, method: number, raw: Buffer): Uint8Array {
    const content = this.#inflate(record, method, raw);
    // Zero is what stands there when the checksum was not known, or must not be (AES entries have a better one).
    if (record.crc !== 0 && crc32(content) !== record.crc) throw damaged(record, 'its checksum does not match');
    return content;
  }

  #inflate(record: ZipRecord, method: number, raw: Buffer): Uint8Array {
    if (method === METHOD_STORED) return raw;
    if (method !== METHOD_DEFLATE) {
      throw new CrawlerError('unsupported', `The zip entry [${record.name}] uses compression method ${method}.`);
    }
    try {
      return inflateEntry(raw, record.size, this.#count);
    } catch (error) {
      if (String(codeOf(error)).startsWith('Z_')) throw damaged(record, 'its compressed data is broken', error);
      throw error;
    }
  }

  #decrypt(record: ZipRecord, raw: Buffer): Uint8Array {
    for (const password of this.#passwords) {
      const opened = decryptEntry(record, raw, password);
      if (opened === undefined) continue;
      this.#count(opened.bytes.length);
      const content = this.#tryContent(record, opened);
      if (content === undefined) continue;
      this.#passwords = [password, ...this.#passwords.filter((each) => each !== password)];
      return content;
    }
    throw new CrawlerError('encrypted', `The zip entry [${record.name}] is encrypted and no password opens it.`);
  }

  /** A wrong password can pass the one-byte check of the old scheme; then the content makes no sense. */
  #tryContent(record: ZipRecord, opened: DecryptedEntry): Uint8Array | undefined {
    try {
      return this.#unpack(record, opened.method, opened.bytes);
    } catch (error) {
      if (error instanceof CrawlerError && error.code === 'corrupt') return undefined;
      throw error;
    }
  }
}

function damaged(record: ZipRecord, why: string, cause?: unknown): CrawlerError {
  return new CrawlerError('corrupt', `The zip entry [${record.name}] is damaged: ${why}.`, { cause });
}
