/**
 * BIFF, the record stream of binary Excel workbooks: a 16-bit type, a 16-bit length and the data. A record that needs more
 * than 8224 bytes continues in CONTINUE records; its data then come in several segments.
 */
export interface BiffRecord {
  readonly type: number;
  /** The data of the record and of the CONTINUE records behind it. */
  readonly segments: readonly [Uint8Array, ...Uint8Array[]];
}

export const RECORD = {
  formula: 0x0006,
  formula3: 0x0206,
  formula4: 0x0406,
  endOfSubstream: 0x000a,
  protect: 0x0012,
  header: 0x0014,
  footer: 0x0015,
  note: 0x001c,
  dateMode: 0x0022,
  filePass: 0x002f,
  continued: 0x003c,
  codePage: 0x0042,
  sheet: 0x0085,
  multipleRk: 0x00bd,
  richString: 0x00d6,
  extendedFormat: 0x00e0,
  drawingGroup: 0x00eb,
  sharedStrings: 0x00fc,
  columnInfo: 0x007d,
  row: 0x0208,
  sharedString: 0x00fd,
  textObject: 0x01b6,
  hyperlink: 0x01b8,
  number: 0x0203,
  label: 0x0204,
  booleanOrError: 0x0205,
  string: 0x0207,
  rk: 0x027e,
  format: 0x041e,
  beginning: 0x0809,
  seriesText: 0x100d,
  integer2: 0x0002,
  number2: 0x0003,
  label2: 0x0004,
  booleanOrError2: 0x0005,
  string2: 0x0007,
} as const;

/** A second drawing group record continues where the first ended, as if it were a CONTINUE. */
function continues(type: number, previous: number): boolean {
  return type === RECORD.continued || (type === RECORD.drawingGroup && previous === RECORD.drawingGroup);
}

/** A record that is cut by the end of the stream is the last one. */
export function* biffRecords(stream: Uint8Array): Generator<BiffRecord> {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  let current: { readonly type: number; readonly segments: [Uint8Array, ...Uint8Array[]] } | undefined;
  for (let at = 0; at + 4 <= stream.length;) {
    const type = view.getUint16(at, true);
    const data = stream.subarray(at + 4, at + 4 + view.getUint16(at + 2, true));
    at += 4 + view.getUint16(at + 2, true);
    if (current !== undefined && continues(type, current.type)) {
      current.segments.push(data);
      continue;
    }
    if (current !== undefined) yield current;
    current = { type, segments: [data] };
  }
  if (current !== undefined) yield current;
}
