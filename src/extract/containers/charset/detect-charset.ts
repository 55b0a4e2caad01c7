import { isAscii, isUtf8 } from 'node:buffer';
import { charsetName } from './charset-names.js';
import { guessCharset } from './guess-charset.js';

/**
 * The character set of a text. In this order: byte order mark, zeros that betray UTF-16, pure ASCII, valid UTF-8 (hardly
 * ever a coincidence), what the document says of itself, statistics.
 *
 * Plain ASCII has no charset of its own to report; it goes by the names that Tika gives it: `ISO-8859-1`, or
 * `windows-1252` when its lines end the Windows way.
 */
export interface DetectedCharset {
  readonly name: string;
  /** Which step decided; reported as `tk:encodingDetector`. */
  readonly detector: 'BOMDetector' | 'UniversalEncodingDetector' | 'HtmlEncodingDetector';
}

const WINDOWS = 'windows-1252';
const CARRIAGE_RETURN = 0x0d;
const CURRENCY_SIGN = 0xa4;
/** Bytes that exist in ISO-8859-1 but not in windows-1252. */
const NOT_IN_1252 = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
const ESCAPE = 0x1b;
/** How often UTF-8 must be right for each time that it is wrong. */
const UTF8_MAJORITY = 8;

export async function detectCharset(bytes: Uint8Array, declared?: string): Promise<DetectedCharset> {
  const marked = charsetOfMark(bytes);
  if (marked !== undefined) return { name: marked, detector: 'BOMDetector' };
  const evident = charsetOfZeros(bytes) ?? (isNearlyUtf8(bytes) ? 'UTF-8' : undefined);
  if (evident !== undefined) return { name: evident, detector: 'UniversalEncodingDetector' };
  const isPlain = isAscii(bytes) && !hasShiftSequences(bytes);
  const declaredName = believable(declared, isPlain);
  if (declaredName !== undefined) return { name: declaredName, detector: 'HtmlEncodingDetector' };
  const guess = isPlain ? WINDOWS : await guessCharset(bytes);
  return { name: reportedName(guess, bytes), detector: 'UniversalEncodingDetector' };
}

/**
 * What a document says of itself, unless the bytes belie it: it could be read this far byte by byte, so it is not UTF-16,
 * and text that is not valid UTF-8 is not UTF-8.
 */
function believable(declared: string | undefined, isPlain: boolean): string | undefined {
  const name = declared === undefined ? undefined : charsetName(declared);
  if (name === undefined || name.startsWith('UTF-16') || name.startsWith('UTF-32')) return undefined;
  return name === 'UTF-8' && !isPlain ? undefined : name;
}

const MARKS: readonly (readonly [name: string, ...bytes: number[]])[] = [
  ['UTF-8', 0xef, 0xbb, 0xbf],
  ['UTF-32LE', 0xff, 0xfe, 0, 0],
  ['UTF-16LE', 0xff, 0xfe],
  ['UTF-16BE', 0xfe, 0xff],
  ['UTF-32BE', 0, 0, 0xfe, 0xff],
];

function charsetOfMark(bytes: Uint8Array): string | undefined {
  return MARKS.find(([, ...mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
}

/** Where, among each four bytes, zeros stand (as `0`) in Latin text of the wide encodings. */
const ZERO_PATTERNS: Readonly<Record<string, string>> = {
  x000: 'UTF-32LE',
  '000x': 'UTF-32BE',
  x0x0: 'UTF-16LE',
  '0x0x': 'UTF-16BE',
};
const ZEROS_SAMPLE_BYTES = 2048;

function charsetOfZeros(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, ZEROS_SAMPLE_BYTES);
  if (sample.length < 4 || !sample.includes(0)) return undefined;
  const zeros = [0, 0, 0, 0];
  for (let at = 0; at < sample.length; at++) {
    if (sample[at] === 0) zeros[at % 4] = (zeros[at % 4] ?? 0) + 1;
  }
  const mostly = (sample.length / 4) * 0.7;
  return ZERO_PATTERNS[zeros.map((count) => (count > mostly ? '0' : 'x')).join('')];
}

/** ISO-2022 switches with escape sequences, HZ with tildes; both look like ASCII otherwise. */
function hasShiftSequences(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (buffer.includes(ESCAPE)) return buffer.includes('\x1b$') || buffer.includes('\x1b(');
  return buffer.includes('~{') && buffer.includes('~}');
}

/** Not ASCII, and valid, or with so few faults that nothing else explains it better. A character cut off at the end is no fault. */
function isNearlyUtf8(bytes: Uint8Array): boolean {
  if (isAscii(bytes)) return false;
  if (isUtf8(bytes)) return true;
  const sample = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64 * 1024)).toString('utf8');
  let good = 0;
  let bad = 0;
  for (const character of sample.slice(0, -1)) {
    if (character === '\ufffd') bad++;
    else if (character > '\x7f') good++;
  }
  return good > 0 && good >= bad * UTF8_MAJORITY;
}

/** The Chinese sets of the mainland go by the name of the one that holds all, the western ones by what speaks for each. */
function reportedName(name: string, bytes: Uint8Array): string {
  if (name.startsWith('GB')) return 'GB18030';
  if (name !== WINDOWS && name !== 'ISO-8859-1') return name;
  const isWindows = bytes.includes(CARRIAGE_RETURN) && !NOT_IN_1252.some((byte) => bytes.includes(byte));
  if (isWindows) return WINDOWS;
  return bytes.includes(CURRENCY_SIGN) ? 'ISO-8859-15' : 'ISO-8859-1';
}
