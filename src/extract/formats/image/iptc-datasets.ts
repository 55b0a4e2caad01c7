import { isUtf8 } from 'node:buffer';

/**
 * IPTC-IIM, the captions of press pictures: datasets `1C · record · dataset · u16 length · data`. Only record 2, the
 * application record, is kept, by dataset number. Record 1 may declare UTF-8; most writers do not and mean it.
 */
export type IptcDatasets = ReadonlyMap<number, readonly string[]>;

export const IPTC = {
  objectName: 5,
  keywords: 25,
  byLine: 80,
  city: 90,
  country: 101,
  headline: 105,
  copyright: 116,
  caption: 120,
} as const;

const MARKER = 0x1c;
const APPLICATION_RECORD = 2;
const HEADER_BYTES = 5;
/** A length with the highest bit set is the length of a length, for data that no caption has. */
const EXTENDED = 0x8000;

export function readIptc(bytes: Buffer): IptcDatasets {
  const datasets = new Map<number, string[]>();
  let at = 0;
  while (at + HEADER_BYTES <= bytes.length && bytes[at] === MARKER) {
    const length = bytes.readUInt16BE(at + 3);
    if (length >= EXTENDED) break;
    const data = bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length);
    if (bytes[at + 1] === APPLICATION_RECORD) {
      const number = bytes[at + 2] ?? 0;
      const values = datasets.get(number) ?? [];
      values.push(data.toString(isUtf8(data) ? 'utf8' : 'latin1').replaceAll('\0', ''));
      datasets.set(number, values);
    }
    at += HEADER_BYTES + length;
  }
  return datasets;
}
