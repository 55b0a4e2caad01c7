import { CrawlerError } from '../../../base/errors.js';
import type { FormatContext, FormatInput } from '../../format.js';
import { ENDS_DOCUMENT, EntryFaults } from '../../containers/archive/entry-faults.js';
import { readArchiveList, type SevenZipEntry } from './archive-list.js';
import { damagedHeader } from './byte-reader.js';
import { FolderKeys } from './folder-key.js';
import { FolderReader, type PartContent } from './folder-reader.js';
import type { Folder } from './streams-info.js';

/**
 * 7z archives: every entry in order, as in a zip. Entries are unpacked one after the other and only as long as more text is
 * wanted. When one is damaged, those that are packed behind it in the same folder are lost as well.
 */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const archive = new SevenZipArchive(input.bytes, context);
  const faults = new EntryFaults();
  for (const entry of archive.entries) {
    if (context.full) break;
    if (entry.isFolder) continue;
    const { bytes, fault } = entry.isEmpty ? EMPTY : archive.readNext();
    if (fault !== undefined && ENDS_DOCUMENT.has(fault.code)) throw fault;
    if (fault !== undefined) faults.add(named(fault, entry));
    if (bytes !== undefined) await context.embedded({ name: entry.name.replaceAll('\\', '/'), bytes });
  }
  faults.report();
}

function named(fault: CrawlerError, { name }: SevenZipEntry): CrawlerError {
  return new CrawlerError(fault.code, `The 7z entry [${name}] is unreadable: ${fault.message}`, { cause: fault });
}

const EMPTY: PartContent = { bytes: Buffer.alloc(0), fault: undefined };

class SevenZipArchive {
  readonly entries: readonly SevenZipEntry[];
  readonly #bytes: Buffer;
  readonly #folders: Iterator<Folder>;
  readonly #options: { readonly keys: FolderKeys; readonly countBytes: (bytes: number) => void };
  /** The password that opened the last folder is most likely the one for the next. */
  #passwords: readonly string[];
  #reader: FolderReader | undefined;

  constructor(bytes: Uint8Array, context: FormatContext) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#passwords = context.passwords;
    this.#options = { keys: new FolderKeys(), countBytes: (count) => context.countBytes(count) };
    const { entries, folders } = readArchiveList(this.#bytes, (folder) => this.#readWhole(folder));
    this.entries = entries;
    this.#folders = folders[Symbol.iterator]();
  }

  /** The contents of the next entry that has any. */
  readNext(): PartContent {
    if (this.#reader?.hasMore === true) return this.#reader.readNext();
    for (let next = this.#folders.next(); next.done !== true; next = this.#folders.next()) {
      this.#reader = new FolderReader(this.#bytes, next.value, this.#options);
      if (this.#reader.hasMore) return this.#readFirst(this.#reader);
    }
    return { bytes: undefined, fault: damagedHeader() };
  }

  /** The packed list of entries. */
  #readWhole(folder: Folder): Buffer {
    const { bytes, fault } = this.#readFirst(new FolderReader(this.#bytes, folder, this.#options));
    if (fault !== undefined) throw fault;
    return bytes ?? Buffer.alloc(0);
  }

  #readFirst(reader: FolderReader): PartContent {
    const { content, password } = reader.readFirst(this.#passwords);
    if (password !== undefined) {
      this.#passwords = [password, ...this.#passwords.filter((each) => each !== password)];
    }
    return content;
  }
}
