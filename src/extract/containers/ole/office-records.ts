/**
 * Records as PowerPoint and the drawings of all binary Office formats ("Office Art", "Escher") have them: 4 bits version
 * and 12 bits instance, a 16-bit type, a 32-bit length, the content. Version 15 means that the content is records again.
 */
export interface OfficeRecord {
  readonly type: number;
  readonly instance: number;
  readonly container: boolean;
  /** The content, shorter than announced when the data are cut. */
  readonly content: Uint8Array;
  /** Offset behind the record. */
  readonly end: number;
}

export function readOfficeRecord(bytes: Uint8Array, at: number): OfficeRecord | undefined {
  if (at < 0 || at + 8 > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = view.getUint16(at, true);
  const end = at + 8 + view.getUint32(at + 4, true);
  return {
    type: view.getUint16(at + 2, true),
    instance: head >> 4,
    container: (head & 0xf) === 0xf,
    content: bytes.subarray(at + 8, Math.min(end, bytes.length)),
    end,
  };
}

/** The records one after the other, without their children. */
export function* officeRecords(bytes: Uint8Array): Generator<OfficeRecord> {
  let at = 0;
  for (let record = readOfficeRecord(bytes, at); record !== undefined; record = readOfficeRecord(bytes, at)) {
    yield record;
    at = record.end;
  }
}

/** The first record of a type, going down a path of containers. */
export function findRecord(bytes: Uint8Array, ...path: readonly number[]): OfficeRecord | undefined {
  let content = bytes;
  let found: OfficeRecord | undefined;
  for (const type of path) {
    found = undefined;
    for (const record of officeRecords(content)) {
      if (record.type !== type) continue;
      found = record;
      break;
    }
    if (found === undefined) return undefined;
    content = found.content;
  }
  return found;
}
