import { isUtf8 } from 'node:buffer';

/**
 * Is this text? Decided by counting the kinds of bytes at its beginning: text has hardly any control characters, and is
 * either mostly ASCII or has as many continuation bytes as its UTF-8 lead bytes announce. UTF-16 is recognised by its byte order
 * mark, or by zeros that stand at every other place.
 */
const BYTES_TESTED = 16 * 1024;
const BYTES_OF_A_SIGNATURE = 512;
/** Of random bytes, one in ten is a control character: so many without one are no coincidence. */
const FEWEST_BYTES = 100;
/** Lead bytes whose continuation may lie behind the end of what was counted. */
const CUT_CONTINUATIONS = 3;

export type TextEncodingFamily = 'bytes' | 'utf-16le' | 'utf-16be';

/** How the text is encoded as far as its shape tells, or undefined when it is not text. */
export function textFamily(bytes: Buffer): TextEncodingFamily | undefined {
  if (bytes.length === 0) return undefined;
  const head = bytes.subarray(0, BYTES_TESTED);
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (isUtf8(head) && !hasControl(head)) return 'bytes';
  const counts = countKinds(head);
  if (isMostlyAscii(counts, head.length) || isShapedLikeUtf8(counts) || isFreeOfControls(counts, head.length))
    return 'bytes';
  return utf16WithoutMark(head);
}

/** What `countKinds` counts as control characters. Native code is several times as fast, and most texts have none. */
const CONTROLS = Array.from({ length: 0x20 }, (_, byte) => byte).filter((byte) => !isSpacing(byte));
const CONTROL = new RegExp(`[${CONTROLS.map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}]`);

function hasControl(bytes: Buffer): boolean {
  return CONTROL.test(bytes.toString('latin1'));
}

/** True when the beginning holds no control character at all, so that a signature of letters may be a coincidence. */
export function beginsAsText(bytes: Buffer): boolean {
  const head = bytes.subarray(0, BYTES_OF_A_SIGNATURE);
  return !hasControl(head) && textFamily(head) === 'bytes';
}

interface Kinds {
  control: number;
  ascii: number;
  continuations: number;
  announced: number;
  leads: number;
  impossible: number;
}

function countKinds(bytes: Uint8Array): Kinds {
  const kinds: Kinds = { control: 0, ascii: 0, continuations: 0, announced: 0, leads: 0, impossible: 0 };
  for (const byte of bytes) {
    if (byte < 0x80) {
      if (byte >= 0x20 || isSpacing(byte)) kinds.ascii++;
      else kinds.control++;
    } else countHighByte(byte, kinds);
  }
  return kinds;
}

/** Tab, line feed, form feed, carriage return, escape. */
function isSpacing(byte: number): boolean {
  return byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d || byte === 0x1b;
}

function countHighByte(byte: number, kinds: Kinds): void {
  if (byte < 0xc0) kinds.continuations++;
  else if (byte >= 0xf8) kinds.impossible++;
  else {
    kinds.leads++;
    if (byte < 0xe0) kinds.announced += 1;
    else kinds.announced += byte < 0xf0 ? 2 : 3;
  }
}

function isMostlyAscii(kinds: Kinds, total: number): boolean {
  return kinds.control * 100 < total * 2 && kinds.ascii * 100 > total * 90;
}

function isShapedLikeUtf8(kinds: Kinds): boolean {
  const characters = kinds.ascii + kinds.leads;
  return (
    characters > 0 &&
    kinds.impossible === 0 &&
    kinds.continuations <= kinds.announced &&
    kinds.continuations >= kinds.announced - CUT_CONTINUATIONS &&
    kinds.control * 100 < characters * 2
  );
}

/** Text in Shift-JIS, KOI8 and the like: what is not text hardly ever goes for long without a control character. */
function isFreeOfControls(kinds: Kinds, total: number): boolean {
  return kinds.control === 0 && total >= FEWEST_BYTES;
}

/** Latin text as UTF-16 has a zero at nearly every second place, and none or nearly none at the others. */
function utf16WithoutMark(bytes: Uint8Array): TextEncodingFamily | undefined {
  const even = kindsAtEverySecond(bytes, 0);
  const odd = kindsAtEverySecond(bytes, 1);
  if (odd.zeros > odd.total * 0.7 && even.printable > even.total * 0.98) return 'utf-16le';
  return even.zeros > even.total * 0.7 && odd.printable > odd.total * 0.98 ? 'utf-16be' : undefined;
}

function kindsAtEverySecond(bytes: Uint8Array, start: number): { zeros: number; printable: number; total: number } {
  let zeros = 0;
  let printable = 0;
  let total = 0;
  for (let at = start; at < bytes.length; at += 2, total++) {
    const byte = bytes[at] ?? 0;
    if (byte === 0) zeros++;
    else if (byte >= 0x20 || isSpacing(byte)) printable++;
  }
  return { zeros, printable, total };
}
