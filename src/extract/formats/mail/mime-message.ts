import { isUtf8 } from 'node:buffer';
import { parseHeaderValue, type HeaderValue } from './header-value.js';

/**
 * The structure of an Internet message (RFC 5322 and RFC 2045-2049): header fields, and parts within parts.
 *
 * A message is header lines, an empty line, and a body. A body of type multipart/* is cut by its boundary:
 *
 *     preamble            (ignored)
 *     --boundary          a delimiter stands at the start of a line; blanks may follow it
 *     part 1
 *     --boundary
 *     part 2
 *     --boundary--
 *     epilogue            (ignored)
 *
 * Nothing is copied or decoded here: the body of a part is a view of the message, still in its transfer encoding. A mail of
 * 50 MB with one attachment therefore costs its own size, and an attachment nobody asks for is never decoded.
 *
 * Real mail is careless, so: a missing end delimiter ends with the message, a multipart without any delimiter is text, and
 * a line that is no header field is skipped when header fields follow it and starts the body when they do not.
 */
export interface HeaderField {
  /** As written, `Message-ID`. */
  readonly name: string;
  /** Unfolded; encoded words are not decoded. */
  readonly value: string;
}

export interface MimePart {
  readonly headers: readonly HeaderField[];
  /** Lower case; `text/plain` when there is none. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly disposition: HeaderValue;
  /** Lower case: `base64`, `quoted-printable`, `7bit` … */
  readonly transferEncoding: string;
  /** Still encoded. */
  readonly body: Buffer;
  /** Of a multipart, else empty. */
  readonly parts: readonly MimePart[];
}

/** Parts nested deeper are text: each level looks at every byte again. */
const MAX_DEPTH = 20;
/** Of one multipart; what follows belongs to the last part. */
const MAX_PARTS = 10_000;
const LF = 0x0a;
const CR = 0x0d;
const HEADER_FIELD = /^([!-9;-~]+)[ \t]*:/;

export function readMessage(bytes: Buffer): MimePart {
  return readPart(bytes, 'text/plain', 0);
}

/** The fields of a message; its body is not read. */
export function readHeaders(bytes: Buffer): readonly HeaderField[] {
  return splitHeaders(bytes).headers;
}

/** The first field of a name, given in lower case. */
export function headerOf(headers: readonly HeaderField[], name: string): string | undefined {
  return headers.find((field) => field.name.toLowerCase() === name)?.value;
}

function readPart(bytes: Buffer, defaultType: string, depth: number): MimePart {
  const { headers, bodyStart } = splitHeaders(bytes);
  const valueOf = (name: string): string => headerOf(headers, name) ?? '';
  const contentType = parseHeaderValue(valueOf('content-type'));
  const type = /^[^\s/]+\/[^\s/]+$/.test(contentType.value) ? contentType.value : defaultType;
  const boundary = contentType.parameters.get('boundary');
  const body = bytes.subarray(bodyStart);
  let parts: MimePart[] = [];
  if (type.startsWith('multipart/') && boundary !== undefined && boundary !== '' && depth < MAX_DEPTH) {
    const childType = type === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
    parts = splitAtBoundary(body, boundary).map((part) => readPart(part, childType, depth + 1));
  }
  return {
    headers,
    type: type.startsWith('multipart/') && parts.length === 0 ? 'text/plain' : type,
    parameters: contentType.parameters,
    disposition: parseHeaderValue(valueOf('content-disposition')),
    transferEncoding: parseHeaderValue(valueOf('content-transfer-encoding')).value,
    body,
    parts,
  };
}

interface Headers {
  readonly headers: HeaderField[];
  readonly bodyStart: number;
}

function splitHeaders(bytes: Buffer): Headers {
  const fields: string[][] = [];
  let at = bytes.indexOf('\uFEFF') === 0 ? 3 : 0;
  while (at < bytes.length) {
    const next = nextLine(bytes, at);
    const line = decodeLine(bytes, at, next);
    if (line === '') {
      // Empty lines in front of the first field are the remains of an export, not the end of the header.
      if (fields.length > 0) return { headers: fields.map(toField), bodyStart: next };
    } else if (/^[ \t]/.test(line) && fields.length > 0) {
      fields.at(-1)?.push(line);
    } else if (HEADER_FIELD.test(line)) {
      fields.push([line]);
    } else if (!HEADER_FIELD.test(decodeLine(bytes, next, nextLine(bytes, next)))) {
      return { headers: fields.map(toField), bodyStart: at };
    }
    at = next;
  }
  return { headers: fields.map(toField), bodyStart: bytes.length };
}

function nextLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(LF, from);
  return end === -1 ? bytes.length : end + 1;
}

/** Header lines should be ASCII; modern ones are UTF-8, careless ones are in the code page of the sender. */
function decodeLine(bytes: Buffer, from: number, next: number): string {
  let to = next;
  while (to > from && (bytes[to - 1] === LF || bytes[to - 1] === CR)) to--;
  const line = bytes.subarray(from, to);
  return line.toString(isUtf8(line) ? 'utf8' : 'latin1');
}

function toField(lines: readonly string[]): HeaderField {
  const line = lines.join('');
  const colon = line.indexOf(':');
  return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
}

function splitAtBoundary(body: Buffer, boundary: string): Buffer[] {
  const delimiter = Buffer.from(`--${boundary}`, 'utf8');
  const parts: Buffer[] = [];
  let start: number | undefined;
  for (let at = body.indexOf(delimiter); at !== -1 && parts.length < MAX_PARTS; at = body.indexOf(delimiter, at + 1)) {
    const end = delimiterEnd(body, at, delimiter.length);
    if (end === undefined) continue;
    if (start !== undefined) parts.push(withoutLineBreak(body.subarray(start, Math.max(start, at))));
    if (end.last) return parts;
    start = end.next;
  }
  if (start !== undefined) parts.push(body.subarray(start));
  return parts;
}

/** Where the line after a delimiter starts, or undefined when these bytes only look like one. */
function delimiterEnd(body: Buffer, at: number, length: number): { next: number; last: boolean } | undefined {
  if (at > 0 && body[at - 1] !== LF && body[at - 1] !== CR) return undefined;
  let end = at + length;
  const last = body[end] === 0x2d && body[end + 1] === 0x2d;
  if (last) end += 2;
  while (body[end] === 0x20 || body[end] === 0x09 || body[end] === CR) end++;
  if (end < body.length && body[end] !== LF) return undefined;
  return { next: end + 1, last };
}

/** The line break in front of a delimiter belongs to the delimiter. */
function withoutLineBreak(part: Buffer): Buffer {
  let end = part.length;
  if (part[end - 1] === LF) end--;
  if (part[end - 1] === CR) end--;
  return part.subarray(0, end);
}
