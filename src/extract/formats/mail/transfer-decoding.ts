/**
 * Content-Transfer-Encoding (RFC 2045 §6): base64, quoted-printable, and the older uuencode. Everything else (7bit, 8bit,
 * binary, unknown names) is the identity. Damaged input decodes as far as it makes sense; nothing here throws.
 */
export function decodeTransfer(body: Buffer, encoding: string): Buffer {
  switch (encoding) {
    case 'base64':
      return decodeBase64(body);
    case 'quoted-printable':
      return decodeQuotedPrintable(body);
    case 'x-uuencode':
    case 'x-uue':
    case 'uuencode':
      return decodeUuencode(body);
    default:
      return body;
  }
}

function decodeBase64(body: Buffer): Buffer {
  const text = body.toString('latin1');
  const padding = text.indexOf('=');
  if (padding === -1 || /^[=\s]*$/.test(text.slice(padding))) return Buffer.from(text, 'base64');
  // Some senders concatenate encoded blocks, each with its own padding; the decoder of Node stops at the first.
  return Buffer.concat(text.split(/=+/).map((block) => Buffer.from(block, 'base64')));
}

const EQUALS = 0x3d;

function decodeQuotedPrintable(body: Buffer): Buffer {
  const output = Buffer.allocUnsafe(body.length);
  let to = 0;
  for (let from = 0; from < body.length; from++) {
    const byte = body[from] ?? 0;
    if (byte !== EQUALS) {
      output[to++] = byte;
      continue;
    }
    const softBreak = softBreakLength(body, from + 1);
    if (softBreak > 0) {
      from += softBreak;
      continue;
    }
    const value = (hexDigit(body[from + 1]) << 4) | hexDigit(body[from + 2]);
    if (value >= 0) {
      output[to++] = value;
      from += 2;
    } else output[to++] = byte;
  }
  return output.subarray(0, to);
}

/** Bytes of blanks and line break after an `=` at the end of a line, else 0. */
function softBreakLength(body: Buffer, from: number): number {
  let at = from;
  while (body[at] === 0x20 || body[at] === 0x09) at++;
  if (body[at] === 0x0d && body[at + 1] === 0x0a) return at + 2 - from;
  if (body[at] === 0x0d || body[at] === 0x0a) return at + 1 - from;
  return at >= body.length ? at - from : 0;
}

/** 0 to 15, or a negative number that stays negative in the combination of two digits. */
function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Lines of a length character and groups of four characters for three bytes, each character being 32 plus six bits. */
function decodeUuencode(body: Buffer): Buffer {
  const output = Buffer.allocUnsafe(body.length);
  let to = 0;
  let started = false;
  for (const line of body.toString('latin1').split(/\r?\n/)) {
    if (!started) {
      started = /^begin\s+[0-7]+\s/.test(line);
      continue;
    }
    const length = line === '' ? 0 : sixBits(line, 0);
    if (length === 0 || line === 'end') break;
    for (let done = 0, at = 1; done < length && at < line.length; at += 4) {
      const group =
        (sixBits(line, at) << 18) |
        (sixBits(line, at + 1) << 12) |
        (sixBits(line, at + 2) << 6) |
        sixBits(line, at + 3);
      for (let shift = 16; shift >= 0 && done < length; shift -= 8, done++) output[to++] = (group >> shift) & 0xff;
    }
  }
  return output.subarray(0, to);
}

function sixBits(line: string, at: number): number {
  return at < line.length ? (line.charCodeAt(at) - 32) & 0x3f : 0;
}
