/**
 * The syntax of RTF: groups in braces, control words (`\par`, `\u8364`, one space behind belongs to the word), control
 * symbols (`\~`), bytes in hexadecimal (`\'e9`), raw binary data (`\bin12` and twelve bytes), and text in between. Line
 * ends in the file mean nothing.
 */
export interface RtfHandler {
  openGroup(): void;
  closeGroup(): void;
  /** `parameter` is undefined when the word has none. */
  word(word: string, parameter: number | undefined): void;
  symbol(character: string): void;
  hexByte(byte: number): void;
  /** Text in the bytes of the file. */
  text(start: number, end: number): void;
  binary(start: number, end: number): void;
  /** True ends the reading. */
  readonly done: boolean;
}

const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const APOSTROPHE = 0x27;
const MINUS = 0x2d;
const SPACE = 0x20;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const MAX_WORD = 32;

export function readRtf(bytes: Uint8Array, handler: RtfHandler): void {
  let position = 0;
  while (position < bytes.length && !handler.done) {
    const byte = bytes[position];
    if (byte === BACKSLASH) position = readControl(bytes, position + 1, handler);
    else if (byte === OPEN || byte === CLOSE) {
      if (byte === OPEN) handler.openGroup();
      else handler.closeGroup();
      position++;
    } else if (byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === 0) position++;
    else {
      const end = textEnd(bytes, position);
      handler.text(position, end);
      position = end;
    }
  }
}

function textEnd(bytes: Uint8Array, start: number): number {
  let end = start;
  for (; end < bytes.length; end++) {
    const byte = bytes[end];
    if (byte === BACKSLASH || byte === OPEN || byte === CLOSE || byte === LINE_FEED || byte === CARRIAGE_RETURN) break;
  }
  return end;
}

/** `position` is behind the backslash. Returns where reading continues. */
function readControl(bytes: Uint8Array, position: number, handler: RtfHandler): number {
  const byte = bytes[position];
  if (byte === undefined) return position;
  if (isLetter(byte)) return readWord(bytes, position, handler);
  if (byte !== APOSTROPHE) {
    handler.symbol(String.fromCharCode(byte));
    return position + 1;
  }
  const code = Number.parseInt(String.fromCharCode(bytes[position + 1] ?? 0, bytes[position + 2] ?? 0), 16);
  if (Number.isNaN(code)) return position + 1;
  handler.hexByte(code);
  return position + 3;
}

function readWord(bytes: Uint8Array, start: number, handler: RtfHandler): number {
  let end = start;
  while (end - start < MAX_WORD && isLetter(bytes[end])) end++;
  const word = String.fromCharCode(...bytes.subarray(start, end));
  const number = readNumber(bytes, end);
  const next = bytes[number.end] === SPACE ? number.end + 1 : number.end;
  if (word !== 'bin') {
    handler.word(word, number.value);
    return next;
  }
  const dataEnd = Math.min(bytes.length, next + Math.max(0, number.value ?? 0));
  handler.binary(next, dataEnd);
  return dataEnd;
}

function readNumber(bytes: Uint8Array, start: number): { value: number | undefined; end: number } {
  const negative = bytes[start] === MINUS;
  const first = negative ? start + 1 : start;
  let end = first;
  let value = 0;
  for (; isDigit(bytes[end]); end++) value = value * 10 + (bytes[end] ?? 0) - 0x30;
  if (end === first) return { value: undefined, end: start };
  return { value: negative ? -value : value, end };
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a));
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
