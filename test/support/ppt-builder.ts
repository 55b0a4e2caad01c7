import { writeOle, type OleStream } from '../../src/extract/containers/ole/ole-writer.js';

/** Writes PowerPoint records and small presentations. */
export function atom(type: number, content: Buffer, instance = 0): Buffer {
  return withHeader(type, instance << 4, content);
}

export function container(type: number, children: readonly Buffer[], instance = 0): Buffer {
  return withHeader(type, (instance << 4) | 0xf, Buffer.concat(children));
}

function withHeader(type: number, head: number, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt16LE(head, 0);
  header.writeUInt16LE(type, 2);
  header.writeUInt32LE(content.length, 4);
  return Buffer.concat([header, content]);
}

export function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32LE(value >>> 0, index * 4));
  return bytes;
}

/** A text: its header and characters. */
export function textRecords(value: string): Buffer {
  const narrow = Array.from(value).every((character) => character <= '\u00ff');
  const characters = narrow ? atom(4008, Buffer.from(value, 'latin1')) : atom(4000, Buffer.from(value, 'utf16le'));
  return Buffer.concat([atom(3999, numbers(4)), characters]);
}

export function characterString(value: string, instance: number): Buffer {
  return atom(4026, Buffer.from(value, 'utf16le'), instance);
}

export interface ShapeParts {
  readonly text?: string;
  readonly placeholder?: number;
  readonly objectId?: number;
}

export function shape({ text, placeholder, objectId }: ShapeParts): Buffer {
  const data: Buffer[] = [];
  if (placeholder !== undefined) data.push(atom(3011, Buffer.from([0, 0, 0, 0, placeholder, 0, 0, 0])));
  if (objectId !== undefined) data.push(atom(3009, numbers(objectId)));
  return container(0xf004, [
    ...(data.length === 0 ? [] : [container(0xf011, data)]),
    ...(text === undefined ? [] : [container(0xf00d, [textRecords(text)])]),
  ]);
}

export function group(...shapes: readonly Buffer[]): Buffer {
  return container(0xf003, [container(0xf004, []), ...shapes]);
}

function drawing(shapes: readonly Buffer[]): Buffer {
  return container(1036, [container(0xf002, [container(0xf003, shapes)])]);
}

export interface PageParts {
  readonly shapes?: readonly Buffer[];
  /** Records beside the drawing. */
  readonly records?: readonly Buffer[];
}

export interface SlideParts extends PageParts {
  /** Texts of title and outline, which the document keeps. */
  readonly outline?: readonly string[];
  readonly notes?: PageParts;
}

export interface PresentationParts {
  readonly slides: readonly SlideParts[];
  readonly master?: PageParts;
  /** Records of the document beside its lists. */
  readonly records?: readonly Buffer[];
  /** Embedded objects: identifier and record. */
  readonly objects?: readonly { readonly id: number; readonly storage: Buffer }[];
  readonly streams?: readonly OleStream[];
  readonly encrypted?: boolean;
}

const MASTER_ID = 0x80000000;
const FIRST_SLIDE_ID = 256;
const FIRST_NOTES_ID = 512;

export function presentation(parts: PresentationParts): Uint8Array {
  const persisted = new Persisted();
  const master = persisted.add(
    container(1016, [drawing(parts.master?.shapes ?? []), ...(parts.master?.records ?? [])]),
  );
  const notes = parts.slides.map((slide) => (slide.notes === undefined ? 0 : persisted.add(page(1008, slide.notes))));
  const slides = parts.slides.map((slide, index) =>
    persisted.add(
      page(1006, slide, numbers(0, 0, 0, MASTER_ID, slide.notes === undefined ? 0 : FIRST_NOTES_ID + index, 0)),
    ),
  );
  const objects = (parts.objects ?? []).map(({ id, storage }) => ({ id, number: persisted.add(storage) }));
  const notesEntries = notes.flatMap((number, index) =>
    number === 0 ? [] : [persistAtom(number, FIRST_NOTES_ID + index)],
  );
  const slideEntries = parts.slides.flatMap((slide, index) => [
    persistAtom(slides[index]!, FIRST_SLIDE_ID + index),
    ...(slide.outline ?? []).map(textRecords),
  ]);
  const objectList = objects.map(({ id, number }) => container(4044, [atom(4035, numbers(1, 0, id, 0, number, 0))]));
  const document = container(1000, [
    ...(parts.records ?? []),
    ...(objectList.length === 0 ? [] : [container(1033, objectList)]),
    container(4080, [persistAtom(master, MASTER_ID)], 1),
    container(4080, slideEntries, 0),
    container(4080, notesEntries, 2),
  ]);
  persisted.add(document);
  return persisted.file(parts);
}

function page(type: number, parts: PageParts, atomContent?: Buffer): Buffer {
  const head = atomContent === undefined ? [] : [atom(1007, atomContent)];
  return container(type, [...head, drawing(parts.shapes ?? []), ...(parts.records ?? [])]);
}

function persistAtom(number: number, identifier: number): Buffer {
  return atom(1011, numbers(number, 0, 0, identifier, 0));
}

/** Records that the persist directory names by number, from 1 on. */
class Persisted {
  readonly #records: Buffer[] = [];

  add(record: Buffer): number {
    return this.#records.push(record);
  }

  file({ streams = [], encrypted = false }: PresentationParts): Uint8Array {
    let offset = 0;
    const offsets = this.#records.map((record) => {
      offset += record.length;
      return offset - record.length;
    });
    const directory = atom(6002, numbers(1 | (offsets.length << 20), ...offsets));
    const edit = atom(4085, numbers(0, 0, 0, offset, this.#records.length, 0, 0));
    const current = atom(4086, numbers(20, encrypted ? 0xf3d1c4df : 0xe391c05f, offset + directory.length, 0, 0));
    return writeOle({
      streams: [
        { path: 'Current User', bytes: current },
        { path: 'PowerPoint Document', bytes: Buffer.concat([...this.#records, directory, edit]) },
        ...streams,
      ],
    });
  }
}
