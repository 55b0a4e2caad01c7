import { CrawlerError } from '../../../../base/errors.js';
import {
  readCrossReference,
  rebuildCrossReference,
  type CrossReference,
  type CrossReferenceEntry,
} from './cross-reference.js';
import { PackedObjects } from './packed-objects.js';
import { PdfLexer } from './pdf-lexer.js';
import { decodeText, type PdfDict, type PdfStream, type PdfValue } from './pdf-value.js';
import { applyFilters, type FilterStep } from './stream-filters.js';

/**
 * The objects of an unencrypted PDF, read one by one when they are asked for. PDFium reads pages; this reads what its
 * interface does not give: XMP, form fields as a tree, annotations as they were written, attachments of every kind.
 *
 * Nothing here throws because of damage: what cannot be read is null or undefined.
 */
export interface PdfObjectsOptions {
  /** Called with the size of every unpacked stream; may throw to end the work. */
  readonly countBytes: (bytes: number) => void;
}

const MAX_STREAM_BYTES = 256 * 1024 * 1024;
const MAX_REFERENCE_STEPS = 32;

export class PdfObjects {
  readonly #bytes: Uint8Array;
  readonly #countBytes: (bytes: number) => void;
  readonly #cache = new Map<number, PdfValue>();
  readonly #packed = new Map<number, PackedObjects | undefined>();
  readonly #reading = new Set<number>();
  #reference: CrossReference;
  #rebuilt = false;

  constructor(bytes: Uint8Array, options: PdfObjectsOptions) {
    this.#bytes = bytes;
    this.#countBytes = options.countBytes;
    this.#reference = { places: new Map(), trailer: new Map() };
    this.#reference = readCrossReference(bytes, (stream) => this.streamBytes(stream));
    if (this.dict(this.catalog.entries.get('Pages')) === undefined) this.#rebuild();
  }

  /** The catalog; empty when there is none. */
  get catalog(): PdfDict {
    return this.dict(this.#reference.trailer.get('Root')) ?? EMPTY;
  }

  get trailer(): ReadonlyMap<string, PdfValue> {
    return this.#reference.trailer;
  }

  get encrypted(): boolean {
    return this.dict(this.#reference.trailer.get('Encrypt')) !== undefined;
  }

  /** The object with this number, null when there is none. */
  object(number: number): PdfValue {
    const known = this.#cache.get(number);
    if (known !== undefined) return known;
    const place = this.#reference.places.get(number);
    if (place === undefined || this.#reading.has(number)) return null;
    this.#reading.add(number);
    const value = this.#read(number, place);
    this.#reading.delete(number);
    this.#cache.set(number, value);
    return value;
  }

  /** Follows references until there is a value. */
  resolve(value: PdfValue | undefined): PdfValue {
    let current = value ?? null;
    for (let step = 0; step < MAX_REFERENCE_STEPS; step++) {
      if (typeof current !== 'object' || current?.kind !== 'reference') return current;
      current = this.object(current.number);
    }
    return null;
  }

  /** A dictionary, or a stream's dictionary. */
  dict(value: PdfValue | undefined): PdfDict | undefined {
    const resolved = this.resolve(value);
    if (typeof resolved !== 'object' || resolved === null) return undefined;
    if (resolved.kind === 'stream') return resolved.dict;
    return resolved.kind === 'dict' ? resolved : undefined;
  }

  stream(value: PdfValue | undefined): PdfStream | undefined {
    const resolved = this.resolve(value);
    return typeof resolved === 'object' && resolved?.kind === 'stream' ? resolved : undefined;
  }

  /** Items of an array; a single value counts as an array of one, nothing as an empty one. */
  items(value: PdfValue | undefined): readonly PdfValue[] {
    const resolved = this.resolve(value);
    if (resolved === null) return [];
    return typeof resolved === 'object' && resolved.kind === 'array' ? resolved.items : [resolved];
  }

  name(value: PdfValue | undefined): string | undefined {
    const resolved = this.resolve(value);
    return typeof resolved === 'object' && resolved?.kind === 'name' ? resolved.name : undefined;
  }

  /** The text of a string or of a stream that holds one. */
  text(value: PdfValue | undefined): string | undefined {
    const resolved = this.resolve(value);
    if (typeof resolved !== 'object' || resolved === null) return undefined;
    if (resolved.kind === 'string') return decodeText(resolved.bytes);
    const bytes = resolved.kind === 'stream' ? this.streamBytes(resolved) : undefined;
    return bytes === undefined ? undefined : decodeText(bytes);
  }

  /** A stream's bytes after its filters; undefined for images and unknown filters. */
  streamBytes(stream: PdfStream): Uint8Array | undefined {
    const { entries } = stream.dict;
    const filters = this.items(entries.get('Filter') ?? entries.get('F'));
    const parameters = this.items(entries.get('DecodeParms') ?? entries.get('DP'));
    const steps = filters.map((filter, index) => {
      const dict = this.dict(parameters[index]);
      return { name: this.name(filter) ?? '', parameter: (key: string) => this.resolve(dict?.entries.get(key)) };
    });
    const result = filtered(this.#rawBytes(stream), steps);
    if (result !== undefined) this.#countBytes(result.length);
    return result;
  }

  /** `Length` when `endstream` follows there, else up to the next `endstream`. */
  #rawBytes(stream: PdfStream): Uint8Array {
    const length = this.resolve(stream.dict.entries.get('Length'));
    if (typeof length === 'number' && length >= 0) {
      const after = new PdfLexer(this.#bytes, stream.start + length);
      if (after.word().startsWith('endstream')) return this.#bytes.subarray(stream.start, stream.start + length);
    }
    const buffer = Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
    const end = buffer.indexOf('endstream', stream.start);
    return this.#bytes.subarray(stream.start, end < 0 ? this.#bytes.length : end);
  }

  #read(number: number, place: CrossReferenceEntry): PdfValue {
    if (place.kind === 'packed') return this.#packedObjects(place.container)?.at(place.index) ?? null;
    const lexer = new PdfLexer(this.#bytes, place.offset);
    const found = Number.parseInt(lexer.word(), 10);
    lexer.word();
    if (lexer.word() === 'obj' && found === number) return lexer.indirect();
    // The table points elsewhere: what it says of other objects is no better.
    if (this.#rebuilt) return null;
    this.#rebuild();
    const newPlace = this.#reference.places.get(number);
    return newPlace === undefined ? null : this.#read(number, newPlace);
  }

  #packedObjects(container: number): PackedObjects | undefined {
    if (this.#packed.has(container)) return this.#packed.get(container);
    const stream = this.stream({ kind: 'reference', number: container });
    const bytes = stream === undefined ? undefined : this.streamBytes(stream);
    const objects = stream === undefined || bytes === undefined ? undefined : this.#unpack(stream.dict, bytes);
    this.#packed.set(container, objects);
    return objects;
  }

  #unpack({ entries }: PdfDict, bytes: Uint8Array): PackedObjects {
    return new PackedObjects(bytes, this.resolve(entries.get('N')), this.resolve(entries.get('First')));
  }

  #rebuild(): void {
    if (this.#rebuilt) return;
    this.#rebuilt = true;
    this.#cache.clear();
    this.#packed.clear();
    this.#reference = rebuildCrossReference(this.#bytes);
    for (const number of [...this.#reference.places.keys()]) this.#adopt(number);
  }

  /** Puts what an object says about the whole file where a sound file would have it. */
  #adopt(number: number): void {
    const dict = this.dict(this.object(number));
    if (dict === undefined) return;
    const type = this.name(dict.entries.get('Type'));
    const { places, trailer } = this.#reference;
    if (type === 'Catalog' && !trailer.has('Root')) trailer.set('Root', { kind: 'reference', number });
    if (type === 'XRef') {
      for (const key of ['Root', 'Info', 'Encrypt']) {
        const entry = dict.entries.get(key);
        if (entry !== undefined) trailer.set(key, entry);
      }
    }
    if (type !== 'ObjStm') return;
    this.#packedObjects(number)?.numbers.forEach((inner, index) => {
      if (!places.has(inner)) places.set(inner, { kind: 'packed', container: number, index });
      if (!trailer.has('Root') && this.name(this.dict(this.object(inner))?.entries.get('Type')) === 'Catalog') {
        trailer.set('Root', { kind: 'reference', number: inner });
      }
    });
  }
}

function filtered(raw: Uint8Array, steps: readonly FilterStep[]): Uint8Array | undefined {
  try {
    return applyFilters(raw, steps, MAX_STREAM_BYTES);
  } catch (error) {
    throw new CrawlerError('too_large', 'A stream of the PDF unpacks to more than 256 MB.', { cause: error });
  }
}

const EMPTY: PdfDict = { kind: 'dict', entries: new Map() };
