import { PdfLexer } from './pdf-lexer.js';
import type { PdfDict, PdfStream, PdfValue } from './pdf-value.js';

/**
 * Where each object of a PDF lies. A file ends with `startxref` and the offset of its newest cross-reference section: a
 * table of 20-byte lines and a trailer dictionary, or (since 1.5) a stream of packed numbers whose dictionary is the
 * trailer. `Prev` leads to the section that this one updates, `XRefStm` to a stream beside a table.
 *
 * When that fails, the whole file is searched for `n g obj`: the last definition of a number counts.
 */
export type CrossReferenceEntry =
  | { readonly kind: 'offset'; readonly offset: number }
  | { readonly kind: 'packed'; readonly container: number; readonly index: number };

export interface CrossReference {
  readonly places: Map<number, CrossReferenceEntry>;
  /** Trailer entries, the newest section first wins. */
  readonly trailer: Map<string, PdfValue>;
}

type DecodeStream = (stream: PdfStream) => Uint8Array | undefined;

const MAX_OBJECTS = 8_388_607;
const MAX_SECTIONS = 1000;

export function readCrossReference(bytes: Uint8Array, decode: DecodeStream): CrossReference {
  const reference: CrossReference = { places: new Map(), trailer: new Map() };
  const open = [startOffset(bytes)];
  const seen = new Set<number>();
  while (open.length > 0 && seen.size < MAX_SECTIONS) {
    const offset = open.pop();
    if (offset === undefined || seen.has(offset) || offset < 0 || offset >= bytes.length) continue;
    seen.add(offset);
    const trailer = readSection(bytes, offset, reference.places, decode);
    if (trailer === undefined) continue;
    for (const [key, value] of trailer.entries) if (!reference.trailer.has(key)) reference.trailer.set(key, value);
    for (const key of ['Prev', 'XRefStm']) {
      const next = trailer.entries.get(key);
      if (typeof next === 'number') open.push(next);
    }
  }
  return reference;
}

/** By searching the whole file; for damaged cross-references. */
export function rebuildCrossReference(bytes: Uint8Array): CrossReference {
  const reference: CrossReference = { places: new Map(), trailer: new Map() };
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = buffer.indexOf('obj'); at >= 0; at = buffer.indexOf('obj', at + 3)) {
    const header = /(\d+)\s+\d+\s+$/.exec(buffer.toString('latin1', Math.max(0, at - 32), at));
    const number = Number(header?.[1]);
    if (header === null || !(number < MAX_OBJECTS)) continue;
    reference.places.set(number, { kind: 'offset', offset: at - header[0].length });
  }
  for (let at = buffer.indexOf('trailer'); at >= 0; at = buffer.indexOf('trailer', at + 7)) {
    const value = new PdfLexer(bytes, at + 7).value();
    if (typeof value === 'object' && value?.kind === 'dict') {
      for (const [key, entry] of value.entries) reference.trailer.set(key, entry);
    }
  }
  return reference;
}

function startOffset(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = buffer.lastIndexOf('startxref');
  if (at < 0) return -1;
  return Number.parseInt(new PdfLexer(bytes, at + 9).word(), 10);
}

function readSection(
  bytes: Uint8Array,
  offset: number,
  places: Map<number, CrossReferenceEntry>,
  decode: DecodeStream,
): PdfDict | undefined {
  const lexer = new PdfLexer(bytes, offset);
  const word = lexer.word();
  if (word === 'xref') return readTable(lexer, places);
  lexer.word();
  if (lexer.word() !== 'obj') return undefined;
  const value = lexer.indirect();
  if (typeof value !== 'object' || value?.kind !== 'stream') return undefined;
  readStreamSection(value, places, decode);
  return value.dict;
}

function readTable(lexer: PdfLexer, places: Map<number, CrossReferenceEntry>): PdfDict | undefined {
  for (let word = lexer.word(); word !== 'trailer'; word = lexer.word()) {
    if (!readSubsection(lexer, Number.parseInt(word, 10), places)) return undefined;
  }
  const trailer = lexer.value();
  return typeof trailer === 'object' && trailer?.kind === 'dict' ? trailer : undefined;
}

/** Lines `offset generation n|f` for the objects from `first` on. False when it is none. */
function readSubsection(lexer: PdfLexer, first: number, places: Map<number, CrossReferenceEntry>): boolean {
  const count = Number.parseInt(lexer.word(), 10);
  if (!(first >= 0) || !(count >= 0) || first + count > MAX_OBJECTS) return false;
  for (let number = first; number < first + count; number++) {
    const offset = Number.parseInt(lexer.word(), 10);
    lexer.word();
    const type = lexer.word();
    if (type !== 'n' && type !== 'f') return false;
    if (type === 'n' && !places.has(number)) places.set(number, { kind: 'offset', offset });
  }
  return true;
}

function readStreamSection(stream: PdfStream, places: Map<number, CrossReferenceEntry>, decode: DecodeStream): void {
  const [typeWidth = 0, firstWidth = 0, secondWidth = 0] = numbers(stream.dict.entries.get('W'));
  const data = decode(stream) ?? new Uint8Array(0);
  const rowBytes = typeWidth + firstWidth + secondWidth;
  if (rowBytes <= 0) return;
  let at = 0;
  for (const number of streamNumbers(stream)) {
    if (at + rowBytes > data.length) return;
    const type = typeWidth === 0 ? 1 : field(data, at, typeWidth);
    const one = field(data, at + typeWidth, firstWidth);
    const two = field(data, at + typeWidth + firstWidth, secondWidth);
    at += rowBytes;
    if (places.has(number)) continue;
    if (type === 1) places.set(number, { kind: 'offset', offset: one });
    else if (type === 2) places.set(number, { kind: 'packed', container: one, index: two });
  }
}

/** The object numbers of the rows: ranges `first count` in `Index`, by default from 0 on. */
function* streamNumbers(stream: PdfStream): Generator<number> {
  const ranges = numbers(stream.dict.entries.get('Index'));
  if (ranges.length === 0) ranges.push(0, MAX_OBJECTS);
  for (let range = 0; range + 1 < ranges.length; range += 2) {
    const first = ranges[range] ?? 0;
    const end = first + (ranges[range + 1] ?? 0);
    for (let number = first; number < end; number++) yield number;
  }
}

function field(data: Uint8Array, at: number, width: number): number {
  let value = 0;
  for (let index = 0; index < width; index++) value = value * 256 + (data[at + index] ?? 0);
  return value;
}

function numbers(value: PdfValue | undefined): number[] {
  if (typeof value !== 'object' || value?.kind !== 'array') return [];
  return value.items.filter((item) => typeof item === 'number');
}
