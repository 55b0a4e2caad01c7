/**
 * The frames of an MPEG audio stream (ISO 11172-3 and 13818-3): 32 bits of header, big-endian,
 *
 *     11 sync · 2 version · 2 layer · 1 protection · 4 bit rate · 2 sample rate · 1 padding · 1 private · 2 channel mode · …
 *
 * Every frame is counted, since the only other sources of a duration, an average bit rate or the header of an encoder, are
 * absent or wrong in many files. Sums are kept in single precision, as the peer does, so that the printed number is its.
 */
export interface MpegStream {
  /** Seconds. */
  readonly duration: number;
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  /** Such as `MPEG 3 Layer III Version 1`. */
  readonly version: string;
}

const BIT_RATES_V1: Readonly<Record<number, readonly number[]>> = {
  1: [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  2: [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  3: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
};
const BIT_RATES_V2: Readonly<Record<number, readonly number[]>> = {
  1: [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  3: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const SAMPLE_RATES: readonly (readonly number[])[] = [
  [11025, 12000, 8000],
  [],
  [22050, 24000, 16000],
  [44100, 48000, 32000],
];
const VERSION_NAMES = ['2.5', '', '2', '1'];

/** Undefined when there is no frame at all. */
export function readMpegStream(bytes: Buffer): MpegStream | undefined {
  let first: Frame | undefined;
  let milliseconds = 0;
  let at = endOfTags(bytes);
  for (at = bytes.indexOf(0xff, at); at !== -1 && at + 4 <= bytes.length; at = bytes.indexOf(0xff, at)) {
    const frame = readFrame(bytes.readUInt32BE(at));
    if (frame === undefined) {
      at++;
      continue;
    }
    first ??= frame;
    milliseconds = Math.fround(milliseconds + frame.milliseconds);
    at += frame.length;
  }
  return first && { ...first, duration: Math.fround(milliseconds / 1000) };
}

interface Frame {
  readonly length: number;
  readonly milliseconds: number;
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  readonly version: string;
}

function readFrame(header: number): Frame | undefined {
  const version = (header >>> 19) & 3;
  const layer = 4 - ((header >>> 17) & 3);
  const bitRate = bitRates(version, layer)[((header >>> 12) & 15) - 1];
  const sampleRate = SAMPLE_RATES[version]?.[(header >>> 10) & 3];
  if (header >>> 21 !== 0x7ff || bitRate === undefined || sampleRate === undefined) return undefined;
  const samples = samplesPerFrame(version, layer);
  const bytes = Math.floor((samples / 8) * ((bitRate * 1000) / sampleRate));
  const padding = (header >>> 9) & 1;
  return {
    // Layer I counts in slots of four bytes.
    length: layer === 1 ? (Math.floor(bytes / 4) + padding) * 4 : bytes + padding,
    milliseconds: Math.fround(Math.fround(1000 / sampleRate) * samples),
    sampleRate,
    channels: ((header >>> 6) & 3) === 3 ? 1 : 2,
    version: `MPEG 3 Layer ${'I'.repeat(layer)} Version ${VERSION_NAMES[version] ?? ''}`,
  };
}

function bitRates(version: number, layer: number): readonly number[] {
  return (version === 3 ? BIT_RATES_V1 : BIT_RATES_V2)[layer] ?? [];
}

function samplesPerFrame(version: number, layer: number): number {
  if (layer === 1) return 384;
  return layer === 3 && version !== 3 ? 576 : 1152;
}

/** How much sound a reader of tags gets to see, and where tags at the end are looked for. */
const SOUND_BYTES = 32 * 1024;
const TAIL_BYTES = 256 * 1024;

/** The stream without most of its sound: all that a reader of tags needs, and little that it could lose itself in. */
export function withoutSound(bytes: Buffer): Buffer {
  const head = endOfTags(bytes) + SOUND_BYTES;
  return head + TAIL_BYTES >= bytes.length
    ? bytes
    : Buffer.concat([bytes.subarray(0, head), bytes.subarray(-TAIL_BYTES)]);
}

/** Behind the ID3v2 tags at the start, whose pictures may look like frames. Sizes have seven bits a byte. */
function endOfTags(bytes: Buffer): number {
  let at = 0;
  while (at + 10 <= bytes.length && bytes.toString('latin1', at, at + 3) === 'ID3') {
    const size = [6, 7, 8, 9].reduce((sum, offset) => sum * 128 + ((bytes[at + offset] ?? 0) & 0x7f), 0);
    at += 10 + size;
  }
  return at;
}

/** The shortest decimal that gives this single-precision number again: `1.0187751`, `2.0`. */
export function formatSingle(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return Number.isInteger(short) ? short.toFixed(1) : String(short);
  }
  return String(value);
}
