/**
 * The boxes of ISO base media files (MP4, QuickTime, HEIC, AVIF, JPEG 2000, JPEG XL): `u32 length · type · data`; length 1
 * means a u64 length behind the type, length 0 up to the end. Data may hold boxes again.
 */
export interface IsoBox {
  /** Four characters. */
  readonly type: string;
  /** Ends where the file is cut off. */
  readonly data: Buffer;
}

/**
 * One after the other, from the beginning of `data`.
 * @param atShortBox what a box is that is shorter than its own header: damage, or the end of what can be read
 * @throws RangeError for damage, and for a 64-bit length that is cut off
 */
export function* isoBoxes(data: Buffer, atShortBox: 'throw' | 'stop'): Generator<IsoBox> {
  let at = 0;
  while (at + 8 <= data.length) {
    let length = data.readUInt32BE(at);
    let header = 8;
    if (length === 1) {
      length = Number(data.readBigUInt64BE(at + 8));
      header = 16;
    } else if (length === 0) length = data.length - at;
    if (length < header) {
      if (atShortBox === 'stop') return;
      throw new RangeError('A box is shorter than its header.');
    }
    yield { type: data.toString('latin1', at + 4, at + 8), data: data.subarray(at + header, at + length) };
    at += length;
  }
}
