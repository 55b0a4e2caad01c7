import { officeRecords, readOfficeRecord, type OfficeRecord } from '../../containers/ole/office-records.js';
import { TYPE } from './record-types.js';

/**
 * Where the current versions of slides, notes and objects lie. Saving appends: each time new versions of the changed
 * records, a directory of their offsets (a number of 20 bits and a count of 12, then the offsets of the records with that
 * number and the following ones) and an edit record that names the directory and the edit before it.
 */
export class PersistDirectory {
  readonly #stream: Uint8Array;
  readonly #offsets = new Map<number, number>();
  #searched = false;

  /** `lastEdit` is the offset of the newest edit record; when it leads nowhere the whole stream is searched. */
  constructor(stream: Uint8Array, lastEdit: number) {
    this.#stream = stream;
    for (const directory of editedDirectories(stream, lastEdit)) this.#add(directory);
    if (this.#offsets.size === 0) this.#searchEverywhere();
  }

  record(number: number): OfficeRecord | undefined {
    if (!this.#offsets.has(number)) this.#searchEverywhere();
    const offset = this.#offsets.get(number);
    return offset === undefined ? undefined : readOfficeRecord(this.#stream, offset);
  }

  /** The current records of a type with their numbers, in the order of the stream. */
  ofType(type: number): { readonly number: number; readonly record: OfficeRecord }[] {
    return [...this.#offsets]
      .sort(([, left], [, right]) => left - right)
      .flatMap(([number, offset]) => {
        const record = readOfficeRecord(this.#stream, offset);
        return record?.type === type ? [{ number, record }] : [];
      });
  }

  /** A damaged edit record may hide directories. */
  #searchEverywhere(): void {
    if (this.#searched) return;
    this.#searched = true;
    for (const directory of allDirectories(this.#stream)) this.#add(directory);
  }

  #add(content: Uint8Array): void {
    const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
    for (let at = 0; at + 4 <= content.length;) {
      const head = view.getUint32(at, true);
      at += 4;
      for (let index = 0; index < head >>> 20 && at + 4 <= content.length; index++, at += 4) {
        const number = (head & 0xfffff) + index;
        if (!this.#offsets.has(number)) this.#offsets.set(number, view.getUint32(at, true));
      }
    }
  }
}

/** Contents of the directories, newest first. An edit holds at 8 the offset of the one before, at 12 of its directory. */
function editedDirectories(stream: Uint8Array, lastEdit: number): Uint8Array[] {
  const directories: Uint8Array[] = [];
  const seen = new Set<number>();
  let offset = lastEdit;
  while (!seen.has(offset)) {
    seen.add(offset);
    const edit = readOfficeRecord(stream, offset);
    if (edit?.type !== TYPE.userEdit || edit.content.length < 16) break;
    const view = new DataView(edit.content.buffer, edit.content.byteOffset, edit.content.byteLength);
    const directory = readOfficeRecord(stream, view.getUint32(12, true));
    if (directory?.type === TYPE.persistDirectory) directories.push(directory.content);
    offset = view.getUint32(8, true);
  }
  return directories;
}

function allDirectories(stream: Uint8Array): Uint8Array[] {
  return [...officeRecords(stream)]
    .filter((record) => record.type === TYPE.persistDirectory)
    .map((record) => record.content)
    .reverse();
}
