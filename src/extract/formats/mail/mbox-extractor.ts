import type { FormatContext, FormatInput } from '../../format.js';

/**
 * Mailbox files (RFC 4155): messages one after the other, each behind a line such as
 *
 *     From sender@example.com Mon Jun 01 04:28:28 2009
 *
 * Such a line separates only when a header field follows it, since not every writer quotes a body line that begins with
 * "From ". Messages are handed on one by one while the file is looked through; the subject is printed in front of each, as
 * otherwise nobody could find a message by it.
 */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const { decodeWords } = await import('postal-mime');
  const { headerOf, readHeaders } = await import('./mime-message.js');
  const bytes = Buffer.from(input.bytes.buffer, input.bytes.byteOffset, input.bytes.byteLength);
  for (const message of messages(bytes)) {
    if (context.full) return;
    const subject = decodeWords(headerOf(readHeaders(message), 'subject') ?? '');
    await context.embedded({ name: subject, bytes: message, mediaType: 'message/rfc822' });
  }
}

const FROM = Buffer.from('From ');
const QUOTED_FROM = Buffer.from('>From ');
const FIELD = /^[!-9;-~]+[ \t]*:/;
const LF = 0x0a;

function* messages(bytes: Buffer): Generator<Buffer> {
  let start: number | undefined;
  for (let at = 0; at < bytes.length; at = nextLine(bytes, at)) {
    if (!isSeparator(bytes, at)) continue;
    if (start !== undefined) yield bytes.subarray(start, at);
    start = nextLine(bytes, at);
  }
  if (bytes.length > 0) yield bytes.subarray(start ?? 0);
}

function isSeparator(bytes: Buffer, at: number): boolean {
  if (!startsWith(bytes, at, FROM)) return false;
  let next = nextLine(bytes, at);
  // A mail that went through several mailboxes keeps their separators, quoted, in front of its header.
  while (startsWith(bytes, next, QUOTED_FROM)) next = nextLine(bytes, next);
  return FIELD.test(bytes.subarray(next, next + 100).toString('latin1'));
}

function startsWith(bytes: Buffer, at: number, text: Buffer): boolean {
  return bytes.subarray(at, at + text.length).equals(text);
}

function nextLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(LF, from);
  return end === -1 ? bytes.length : end + 1;
}
