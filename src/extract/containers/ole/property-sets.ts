import type { OleContainer } from './ole.js';
import type { FormatContext } from '../../format.js';
import { decodeCodePage, decodeUtf16 } from '../charset/code-page.js';

/**
 * The property sets of an OLE document: title, author, dates and counts as metadata under Tika's keys.
 *
 * A stream holds a header of 28 bytes (byte order mark 0xFFFE, versions, class, number of sections), then a format
 * identifier and an offset for each section. A section is its size, the number of properties, pairs of property number and
 * offset, and the typed values. Property 1 names the code page of the section's strings. The second section of
 * DocumentSummaryInformation holds the properties that a person defined; its property 0 is the dictionary of their names.
 */
type Value = string | number | boolean | Date;

interface Section {
  readonly values: ReadonlyMap<number, Value>;
  readonly names: ReadonlyMap<number, string>;
}

type Target = (value: Value, context: FormatContext) => void;

const SUMMARY = 'e0859ff2f94f6810ab9108002b27b3d9';
const DOCUMENT_SUMMARY = '02d5cdd59c2e1b10939708002b2cf9ae';
const USER_DEFINED = '05d5cdd59c2e1b10939708002b2cf9ae';
const DEFAULT_CODE_PAGE = 1252;
const MAX_PROPERTIES = 4096;
/** Milliseconds from 1601, where FILETIME begins, to 1970. */
const FILETIME_EPOCH_MS = 11_644_473_600_000;
const LAST_MS = Date.UTC(9999, 11, 31);

/** Writes what the two summary streams of a container (or of a storage in it, `prefix` ending in `/`) say. Damaged parts are left out. */
export function readPropertySets(container: OleContainer, context: FormatContext, prefix = ''): void {
  for (const name of ['\u0005SummaryInformation', '\u0005DocumentSummaryInformation']) {
    const bytes = container.read(prefix + name);
    if (bytes !== undefined) readPropertySet(bytes, context);
  }
}

/** Writes what one property set stream says. */
export function readPropertySet(bytes: Uint8Array, context: FormatContext): void {
  if (bytes.length < 48 || bytes[0] !== 0xfe || bytes[1] !== 0xff) return;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.min(view.getUint32(24, true), 2);
  for (let index = 0; index < count; index++) {
    const at = 28 + index * 20;
    if (at + 20 > bytes.length) return;
    const format = Buffer.from(bytes.subarray(at, at + 16)).toString('hex');
    const section = readSection(bytes, view.getUint32(at + 16, true));
    if (format === SUMMARY) writeSummary(section, context);
    else if (format === DOCUMENT_SUMMARY) write(section, documentSummaryTargets, context);
    else if (format === USER_DEFINED) writeUserDefined(section, context);
  }
}

const summaryTargets: Readonly<Record<number, Target>> = {
  2: text('dc:title'),
  3: text('dc:subject'),
  4: list('dc:creator'),
  5: (value, context) => {
    text('meta:keyword')(value, context);
    text('dc:subject')(value, context);
  },
  6: text('w:Comments'),
  7: text('extended-properties:Template'),
  8: text('meta:last-author'),
  9: text('cp:revision'),
  11: date('meta:print-date'),
  12: date('dcterms:created'),
  13: date('dcterms:modified'),
  14: (value, context) => {
    count('meta:page-count')(value, context);
    if (typeof value === 'number' && value > 0) context.setMeta('xmpTPg:NPages', String(value));
  },
  15: count('meta:word-count'),
  16: count('meta:character-count'),
  18: text('extended-properties:Application'),
  19: count('extended-properties:DocSecurity'),
};

const documentSummaryTargets: Readonly<Record<number, Target>> = {
  2: text('cp:category'),
  7: (value, context) => {
    count('meta:slide-count')(value, context);
    if (typeof value === 'number' && value > 0) context.setMeta('xmpTPg:NPages', String(value));
  },
  14: list('extended-properties:Manager'),
  15: text('extended-properties:Company'),
};

function writeSummary(section: Section, context: FormatContext): void {
  write(section, summaryTargets, context);
  // Property 10 has the type of a date but holds the editing time, in units of 100 ns.
  const editing = section.values.get(10);
  const units = editing instanceof Date ? (editing.getTime() + FILETIME_EPOCH_MS) * 10_000 : 0;
  context.meta('extended-properties:TotalTime', String(Math.round(units)));
}

function write(section: Section, targets: Readonly<Record<number, Target>>, context: FormatContext): void {
  // Keywords come before the subject, since both are values of `dc:subject`.
  const ids = [...section.values.keys()].sort((left, right) => orderOf(left) - orderOf(right));
  for (const id of ids) {
    const value = section.values.get(id);
    if (value !== undefined) targets[id]?.(value, context);
  }
}

function orderOf(id: number): number {
  return id === 5 ? 2.5 : id;
}

function writeUserDefined(section: Section, context: FormatContext): void {
  for (const [id, name] of section.names) {
    const value = section.values.get(id);
    if (value === undefined || id < 2) continue;
    if (typeof value === 'string' && name === 'Language') text('dc:language')(value, context);
    if (typeof value !== 'string' || value.trim() !== '') context.meta(`custom:${name}`, value);
  }
}

function text(key: string): Target {
  return (value, context) => {
    if (typeof value === 'string' && value.trim() !== '') context.meta(key, value);
  };
}

function list(key: string): Target {
  return (value, context) => {
    if (typeof value !== 'string') return;
    for (const part of new Set(value.split(';'))) if (part.trim() !== '') context.meta(key, part);
  };
}

function date(key: string): Target {
  return (value, context) => {
    if (value instanceof Date) context.meta(key, value);
  };
}

function count(key: string): Target {
  return (value, context) => {
    if (typeof value === 'number' && value > 0) context.meta(key, value);
  };
}

function readSection(bytes: Uint8Array, start: number): Section {
  const values = new Map<number, Value>();
  const offsets = propertyOffsets(bytes, start);
  const codePage = codePageOf(bytes, offsets.get(1));
  for (const [id, offset] of offsets) {
    if (id === 0) continue;
    const value = readValue(bytes, offset, codePage);
    if (value !== undefined) values.set(id, value);
  }
  const dictionary = offsets.get(0);
  return { values, names: dictionary === undefined ? new Map() : readDictionary(bytes, dictionary, codePage) };
}

function propertyOffsets(bytes: Uint8Array, start: number): Map<number, number> {
  const offsets = new Map<number, number>();
  if (start + 8 > bytes.length) return offsets;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.min(view.getUint32(start + 4, true), MAX_PROPERTIES);
  for (let at = start + 8; at < start + 8 + count * 8 && at + 8 <= bytes.length; at += 8) {
    const offset = start + view.getUint32(at + 4, true);
    if (offset + 4 <= bytes.length) offsets.set(view.getUint32(at, true), offset);
  }
  return offsets;
}

function codePageOf(bytes: Uint8Array, offset: number | undefined): number {
  if (offset === undefined || offset + 6 > bytes.length) return DEFAULT_CODE_PAGE;
  const codePage = new DataView(bytes.buffer, bytes.byteOffset + offset, 6).getUint16(4, true);
  return codePage === 0 ? DEFAULT_CODE_PAGE : codePage;
}

function readValue(bytes: Uint8Array, offset: number, codePage: number): Value | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = view.getUint16(offset, true);
  const at = offset + 4;
  if (type === 30 || type === 31 || type === 8) return readString(bytes, at, type === 31 ? 'wide' : codePage);
  const size = type === 5 || type === 20 || type === 64 ? 8 : 4;
  if (at + size > bytes.length) return undefined;
  return readNumber(view, at, type);
}

function readNumber(view: DataView, at: number, type: number): Value | undefined {
  switch (type) {
    case 2:
      return view.getInt16(at, true);
    case 3:
      return view.getInt32(at, true);
    case 5:
      return real(view.getFloat64(at, true));
    case 11:
      return view.getUint16(at, true) !== 0;
    case 19:
      return view.getUint32(at, true);
    case 20:
      return Number(view.getBigInt64(at, true));
    case 64:
      return fileTime(view, at);
    default:
      return undefined;
  }
}

/** With at least one digit behind the point, as Tika writes real numbers. */
function real(value: number): string {
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}

/** FILETIME (100 ns since 1601, UTC) as a date; undefined behind the year 9999, where it is a flag and no time. */
function fileTime(view: DataView, at: number): Date | undefined {
  const milliseconds = Number(view.getBigUint64(at, true) / 10_000n) - FILETIME_EPOCH_MS;
  return milliseconds > LAST_MS ? undefined : new Date(milliseconds);
}

function readString(bytes: Uint8Array, at: number, encoding: 'wide' | number): string | undefined {
  if (at + 4 > bytes.length) return undefined;
  const length = new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0, true);
  const end = Math.min(at + 4 + (encoding === 'wide' ? length * 2 : length), bytes.length);
  const raw = bytes.subarray(at + 4, end);
  return upToNul(encoding === 'wide' ? decodeUtf16(raw) : decodeCodePage(raw, encoding));
}

function readDictionary(bytes: Uint8Array, offset: number, codePage: number): Map<number, string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const names = new Map<number, string>();
  const count = Math.min(view.getUint32(offset, true), MAX_PROPERTIES);
  let at = offset + 4;
  for (let index = 0; index < count && at + 8 <= bytes.length; index++) {
    const id = view.getUint32(at, true);
    const length = view.getUint32(at + 4, true) * (codePage === 1200 ? 2 : 1);
    const end = Math.min(at + 8 + length, bytes.length);
    names.set(id, upToNul(decodeCodePage(bytes.subarray(at + 8, end), codePage)));
    at = codePage === 1200 ? at + 8 + Math.ceil(length / 4) * 4 : end;
  }
  return names;
}

function upToNul(value: string): string {
  const end = value.indexOf('\0');
  return end < 0 ? value : value.slice(0, end);
}
