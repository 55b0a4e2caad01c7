import { constants, inflateSync } from 'node:zlib';
import { officeRecords, readOfficeRecord, type OfficeRecord } from './office-records.js';

/**
 * Pictures in the drawing records that all binary Office formats share. A picture ("blip") is one or two 16-byte
 * identifiers and then the image; metafiles are deflated behind a header of their own.
 */
export interface Blip {
  readonly mediaType: string;
  readonly extension: string;
  readonly bytes: Uint8Array;
}

interface BlipKind {
  readonly mediaType: string;
  readonly extension: string;
  readonly metafile: boolean;
}

const KINDS: ReadonlyMap<number, BlipKind> = new Map([
  [0xf01a, { mediaType: 'image/emf', extension: 'emf', metafile: true }],
  [0xf01b, { mediaType: 'image/wmf', extension: 'wmf', metafile: true }],
  [0xf01c, { mediaType: 'image/x-pict', extension: 'pict', metafile: true }],
  [0xf01d, { mediaType: 'image/jpeg', extension: 'jpg', metafile: false }],
  [0xf01e, { mediaType: 'image/png', extension: 'png', metafile: false }],
  [0xf01f, { mediaType: 'image/bmp', extension: 'dib', metafile: false }],
  [0xf029, { mediaType: 'image/tiff', extension: 'tiff', metafile: false }],
  [0xf02a, { mediaType: 'image/jpeg', extension: 'jpg', metafile: false }],
]);

/** A blip store entry: 36 bytes about a blip, then the blip itself unless it lies elsewhere. */
const STORE_ENTRY = 0xf007;
const STORE_ENTRY_BYTES = 36;
const MAX_PICTURE_BYTES = 64 * 1024 * 1024;
const MAX_DEPTH = 16;

/** All blips among records and their children. `delayed` is the stream in which blips lie that are stored elsewhere. */
export function* blipsIn(bytes: Uint8Array, delayed?: Uint8Array, depth = 0): Generator<Blip> {
  for (const record of officeRecords(bytes)) {
    const blip = blipOf(record);
    if (blip !== undefined) yield blip;
    else if (record.type === STORE_ENTRY) yield* storeEntry(record, delayed, depth);
    else if (record.container && depth < MAX_DEPTH) yield* blipsIn(record.content, delayed, depth + 1);
  }
}

function* storeEntry(record: OfficeRecord, delayed: Uint8Array | undefined, depth: number): Generator<Blip> {
  const { content } = record;
  if (content.length < STORE_ENTRY_BYTES) return;
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const nameBytes = view.getUint8(33);
  if (content.length > STORE_ENTRY_BYTES + nameBytes + 8) {
    yield* blipsIn(content.subarray(STORE_ENTRY_BYTES + nameBytes), undefined, depth + 1);
    return;
  }
  const offset = view.getUint32(28, true);
  const elsewhere = delayed === undefined || offset === 0xffffffff ? undefined : readOfficeRecord(delayed, offset);
  const blip = elsewhere === undefined ? undefined : blipOf(elsewhere);
  if (blip !== undefined) yield blip;
}

/** The picture of a record; undefined when it holds none. */
export function blipOf(record: OfficeRecord): Blip | undefined {
  const kind = KINDS.get(record.type);
  if (kind === undefined) return undefined;
  const identifiers = (record.instance & 1) === 1 ? 32 : 16;
  const { mediaType, extension } = kind;
  const bytes = kind.metafile ? metafile(record.content, identifiers) : record.content.subarray(identifiers + 1);
  return bytes === undefined || bytes.length === 0 ? undefined : { mediaType, extension, bytes };
}

/** Size, bounds (16), extent (8), saved size, compression, filter; then the data. */
function metafile(content: Uint8Array, at: number): Uint8Array | undefined {
  if (content.length < at + 34) return undefined;
  const data = content.subarray(at + 34);
  if (content[at + 32] !== 0) return data;
  try {
    return inflateSync(data, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_PICTURE_BYTES });
  } catch {
    return undefined;
  }
}
