import { decodeWords } from 'postal-mime';
import type { FormatContext } from '../../format.js';
import { asciiText, type MapiStorage, type TextDecoding } from './mapi-storage.js';
import type { Recipient } from './recipients.js';

/** What stands above a message: who sent it to whom and when, and the headers it travelled with. */
export interface MessageHead {
  readonly subject: string | undefined;
  readonly topic: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly cc: string | undefined;
  readonly bcc: string | undefined;
}

const SUBMIT_TIME = 0x0039;
const CREATION_TIME = 0x3007;
const LAST_MODIFICATION_TIME = 0x3008;

export function readMessageHead(message: MapiStorage, decode: TextDecoding): MessageHead {
  const text = (property: string): string | undefined => message.text(property, decode);
  return {
    subject: text('0037'),
    topic: text('0070'),
    from: text('0C1A'),
    to: text('0E04'),
    cc: text('0E03'),
    bcc: text('0E02'),
  };
}

export function writeMessageMetadata(
  message: MapiStorage,
  head: MessageHead,
  recipients: readonly Recipient[],
  decode: TextDecoding,
  context: FormatContext,
): void {
  context.meta('dc:creator', head.from);
  context.meta('Message-From', head.from);
  context.meta('Message-To', head.to);
  context.meta('Message-Cc', head.cc);
  context.meta('Message-Bcc', head.bcc);
  context.meta('Message:From-Name', head.from);
  context.meta('Message:From-Email', message.text('0C1F', decode));
  for (const { kind, name, displayName, address } of recipients) {
    context.meta('Message-Recipient-Address', address);
    if (kind === undefined) continue;
    const group = kind === 'To' ? kind : kind.toUpperCase();
    context.meta(`Message:${group}-Name`, name);
    context.meta(`Message:${group}-Display-Name`, displayName);
    context.meta(`Message:${group}-Email`, address);
  }
  context.meta('dc:title', head.subject);
  context.meta('dc:subject', head.topic);
  context.meta('dc:description', head.topic);
  writeDates(message, context);
  writeMapiProperties(message, decode, context);
  for (const { name, value } of transportHeaders(message.text('007D', decode) ?? '')) {
    context.meta(`Message:Raw-Header:${name}`, value);
  }
}

/** Properties that keep the names of MAPI. */
const MAPI_TEXTS: readonly (readonly [key: string, property: string])[] = [
  ['mapi:conversation-topic', '0070'],
  ['mapi:from-representing-email', '0065'],
  ['mapi:from-representing-name', '0042'],
  ['mapi:internet-message-id', '1035'],
  ['mapi:message-class-raw', '001A'],
];
const MAPI_TIMES: readonly (readonly [key: string, property: number])[] = [
  ['mapi:client-submit-time', SUBMIT_TIME],
  ['mapi:creation-time', CREATION_TIME],
  ['mapi:last-modification-time', LAST_MODIFICATION_TIME],
  ['mapi:message-delivery-time', 0x0e06],
];
/** Kinds of messages by the second part of their class: `IPM.StickyNote`. */
const MESSAGE_CLASSES: ReadonlyMap<string, string> = new Map([
  ['appointment', 'APPOINTMENT'],
  ['contact', 'CONTACT'],
  ['note', 'NOTE'],
  ['post', 'POST'],
  ['stickynote', 'STICKY_NOTE'],
  ['task', 'TASK'],
]);

function writeMapiProperties(message: MapiStorage, decode: TextDecoding, context: FormatContext): void {
  for (const [key, property] of MAPI_TEXTS) context.meta(key, message.text(property, decode));
  for (const [key, property] of MAPI_TIMES) context.meta(key, message.time(property));
  const messageClass = /^IPM\.(\w+)$/i.exec(message.text('001A', decode) ?? '')?.[1] ?? '';
  context.meta('mapi:message-class', MESSAGE_CLASSES.get(messageClass.toLowerCase()) ?? 'UNKNOWN');
}

function writeDates(message: MapiStorage, context: FormatContext): void {
  const modified = message.time(LAST_MODIFICATION_TIME);
  const created = acceptedTime(message) ?? message.time(SUBMIT_TIME) ?? modified ?? message.time(CREATION_TIME);
  context.meta('dcterms:created', created);
  context.meta('dcterms:modified', modified ?? created);
}

/** The number that the server gave the message has the time at which it accepted it: `l=<host>-<yymmddhhmmssZ>-<n>`. */
function acceptedTime(message: MapiStorage): Date | undefined {
  const id = asciiText(message.binary('0047') ?? new Uint8Array(0));
  const match = /;l=[^;]*-(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z-[^-;]*/.exec(id);
  if (match === null) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  return new Date(Date.UTC(year + (year > 80 ? 1900 : 2000), month - 1, day, hour, minute, second));
}

/** Lines `Name: value`; any other line continues the value before. */
function transportHeaders(text: string): { readonly name: string; readonly value: string }[] {
  const headers: { name: string; value: string }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const match = /^([!-9;-~]+):(.*)$/.exec(line);
    const last = headers.at(-1);
    if (match !== null) headers.push({ name: match[1] ?? '', value: (match[2] ?? '').trim() });
    else if (last !== undefined && line !== '') last.value += `\n${line}`;
  }
  return headers.map(({ name, value }) => ({ name, value: decodeWords(value) }));
}
