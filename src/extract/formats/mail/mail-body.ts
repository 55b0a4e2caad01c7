import { decodeWords } from 'postal-mime';
import type { FormatContext } from '../../format.js';
import { decodeAs, isPlainUtf8 } from './declared-charset.js';
import { hasVisibleText } from './visible-text.js';
import { headerOf, readHeaders, type MimePart } from './mime-message.js';
import { decodeTransfer } from './transfer-decoding.js';

/**
 * The text of a message. Of a multipart/alternative one form is written, so that no word stands twice: HTML before plain
 * text, because the plain form is often a stub ("please switch to a client that can show HTML"), unless the HTML shows no
 * words. Everything else is written in its order, and what is no text for the reader goes to its own format.
 */
export async function writeMailPart(part: MimePart, context: FormatContext): Promise<void> {
  if (context.full) return;
  if (part.type === 'multipart/alternative') return writeAlternatives(part, context);
  if (part.parts.length > 0) return writeAll(part.parts, context);
  if (SIGNATURES.has(part.type)) return;
  const bytes = decode(part, context);
  if (part.disposition.value !== 'attachment') {
    if (part.type === 'text/plain') return writeText(bytes, part.parameters.get('charset'), context);
    if (part.type === 'text/html') return writeHtml(bytes, part.parameters.get('charset'), context);
  }
  await writeAttachment(part, bytes, context);
}

/** They hold no words of anybody. */
const SIGNATURES: ReadonlySet<string> = new Set([
  'application/pgp-signature',
  'application/pkcs7-signature',
  'application/x-pkcs7-signature',
]);

async function writeAll(parts: readonly MimePart[], context: FormatContext): Promise<void> {
  for (const part of parts) await writeMailPart(part, context);
}

/** From worst to best. A multipart holds HTML and its pictures, or HTML and attachments. */
const BODY_TYPES = ['text/richtext', 'text/enriched', 'text/plain', 'application/rtf', 'text/rtf', 'text/html'];

async function writeAlternatives(part: MimePart, context: FormatContext): Promise<void> {
  const rank = (child: MimePart): number =>
    child.parts.length > 0 ? BODY_TYPES.length : BODY_TYPES.indexOf(child.type);
  const bodies = part.parts.filter((child) => rank(child) >= 0).toSorted((a, b) => rank(b) - rank(a));
  const best = bodies.find((body) => body.type !== 'text/html' || showsWords(body)) ?? bodies[0];
  // An invitation carries the same appointment as text and as calendar data: the data has what the text leaves out.
  const others = part.parts.filter(
    (child) => child.type === 'text/calendar' || child.disposition.value === 'attachment',
  );
  await writeAll(best === undefined ? part.parts : [best, ...others.filter((child) => child !== best)], context);
}

function showsWords(html: MimePart): boolean {
  const bytes = decodeTransfer(html.body, html.transferEncoding);
  return hasVisibleText(decodeAs(bytes, html.parameters.get('charset')) ?? bytes.toString('utf8'));
}

function decode(part: MimePart, context: FormatContext): Buffer {
  const bytes = decodeTransfer(part.body, part.transferEncoding);
  if (bytes !== part.body) context.countBytes(bytes.length);
  return bytes;
}

async function writeText(bytes: Buffer, charset: string | undefined, context: FormatContext): Promise<void> {
  const text = decodeAs(bytes, charset) ?? (isPlainUtf8(bytes) ? bytes.toString('utf8') : undefined);
  // No charset, or one that is not true: the text format guesses from the bytes.
  if (text !== undefined) context.write(`${text}\n`);
  else await context.embedded({ name: '', bytes, mediaType: 'text/plain', printName: false });
}

async function writeHtml(bytes: Buffer, charset: string | undefined, context: FormatContext): Promise<void> {
  // What the mail says about the charset is above what the page says about itself; a byte order mark is above both.
  const text = decodeAs(bytes, charset);
  const page = text === undefined ? bytes : Buffer.from(`\uFEFF${text}`, 'utf8');
  await context.embedded({ name: '', bytes: page, mediaType: 'text/html', printName: false });
}

async function writeAttachment(part: MimePart, bytes: Buffer, context: FormatContext): Promise<void> {
  const fileName = part.disposition.parameters.get('filename') ?? part.parameters.get('name') ?? '';
  if (part.type === 'message/rfc822') {
    const subject = decodeWords(headerOf(readHeaders(bytes), 'subject') ?? '');
    return context.embedded({ name: fileName || subject, bytes, mediaType: 'message/rfc822' });
  }
  const name = fileName || decodeWords(headerOf(part.headers, 'content-location') ?? '');
  const mediaType = declaredType(part, name);
  await context.embedded({ name, bytes, printName: fileName !== '', ...(mediaType !== undefined && { mediaType }) });
}

/** Senders declare files carelessly, so detection decides; but a nameless text part has nothing else to go by. */
function declaredType(part: MimePart, name: string): string | undefined {
  if (part.type === 'message/delivery-status' || part.type === 'text/rfc822-headers') return 'text/plain';
  return name === '' && part.type.startsWith('text/') ? part.type : undefined;
}
