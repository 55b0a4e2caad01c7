import { addressParser, decodeWords, type Address } from 'postal-mime';
import type { FormatContext } from '../../format.js';
import { parseMailDate } from './mail-date.js';
import type { HeaderField, MimePart } from './mime-message.js';

/**
 * Header fields as metadata: what people search for under its own key, everything else as `Message:Raw-Header:<name>`, as
 * it stands in the mail.
 */
export function writeMailHeaders(message: MimePart, context: FormatContext): void {
  for (const field of message.headers) {
    const write = WRITERS[field.name.toLowerCase()] ?? writeRaw;
    write(field, context, message);
  }
}

type HeaderWriter = (field: HeaderField, context: FormatContext, message: MimePart) => void;

const WRITERS: Readonly<Record<string, HeaderWriter>> = {
  from: writeSender,
  to: addressWriter('Message-To'),
  cc: addressWriter('Message-Cc'),
  bcc: addressWriter('Message-Bcc'),
  subject: writeSubject,
  date: writeDate,
  'content-type': writeContentType,
};

function writeRaw(field: HeaderField, context: FormatContext): void {
  context.meta(`Message:Raw-Header:${field.name}`, field.value);
}

function addressWriter(key: string): HeaderWriter {
  return (field, context) => {
    for (const address of addressParser(field.value)) context.meta(key, display(address));
  };
}

function writeSender(field: HeaderField, context: FormatContext): void {
  for (const sender of addressParser(field.value)) {
    context.meta('Message-From', display(sender));
    context.meta('dc:creator', display(sender));
    if (sender.name !== '') context.setMeta('Message:From-Name', sender.address ? sender.name : display(sender));
    if (sender.address) context.setMeta('Message:From-Email', sender.address);
  }
}

function display(address: Address): string {
  if (address.group !== undefined) return `${address.name}: ${address.group.map(display).join(', ')};`;
  // Not an address at all ("Saved by some browser (Windows)"): the comment says nothing.
  if (address.address === '') return withoutComments(address.name);
  return address.name === '' ? address.address : `${address.name} <${address.address}>`;
}

function withoutComments(text: string): string {
  return text.replace(/\s*\([^()]*\)/g, '').trim();
}

function writeSubject(field: HeaderField, context: FormatContext): void {
  const subject = decodeWords(field.value);
  if (subject === '') return;
  context.setMeta('dc:title', subject);
  context.setMeta('dc:subject', subject);
}

function writeDate(field: HeaderField, context: FormatContext): void {
  context.meta('dcterms:created', parseMailDate(field.value));
}

function writeContentType(field: HeaderField, context: FormatContext, message: MimePart): void {
  const subtype = /^\s*multipart\/([^\s;]+)/i.exec(field.value)?.[1];
  if (subtype === undefined) {
    writeRaw(field, context);
    return;
  }
  context.meta('Multipart-Subtype', subtype.toLowerCase());
  context.meta('Multipart-Boundary', message.parameters.get('boundary'));
}
