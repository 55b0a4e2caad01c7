import iconv from 'iconv-lite';
import { MapiProperties } from './mapi-properties.js';

/**
 * Transport Neutral Encapsulation Format ([MS-OXTNEF]), all numbers little-endian: u32 signature, u16 key, then attributes
 *
 *     u8 level (1 message, 2 attachment) · u32 id · u32 length · data · u16 checksum
 *
 * Each attachment begins with an attAttachRenddata attribute. Newer writers keep nearly everything in the two attributes
 * that hold lists of MAPI properties; the older attributes are read where those are silent. Checksums are not verified: a
 * damaged message is worth what can still be read of it.
 */
export interface TnefMessage {
  readonly subject: string | undefined;
  readonly senderName: string | undefined;
  readonly senderAddress: string | undefined;
  readonly sentAt: Date | undefined;
  readonly compressedRtf: Buffer | undefined;
  readonly html: Buffer | undefined;
  readonly text: string | undefined;
  readonly attachments: readonly TnefAttachment[];
  /** The last attribute is cut off. */
  readonly truncated: boolean;
}

export interface TnefAttachment {
  readonly name: string;
  /** The file, unless it is a message. */
  readonly content: Buffer | undefined;
  /** A message in this same format. */
  readonly message: Buffer | undefined;
}

const SIGNATURE = 0x223e9f78;
const HEADER_BYTES = 6;
const ATTRIBUTE_HEADER_BYTES = 9;
const CHECKSUM_BYTES = 2;

const ATTRIBUTE = {
  oemCodePage: 0x00069007,
  subject: 0x00018004,
  dateSent: 0x00038005,
  body: 0x0002800c,
  messageProperties: 0x00069003,
  attachmentStart: 0x00069002,
  attachmentTitle: 0x00018010,
  attachmentData: 0x0006800f,
  attachmentProperties: 0x00069005,
} as const;

const PROPERTY = {
  subject: 0x0037,
  conversationTopic: 0x0070,
  clientSubmitTime: 0x0039,
  senderName: 0x0c1a,
  sentRepresentingName: 0x0042,
  senderAddress: 0x0c1f,
  senderSmtpAddress: 0x5d01,
  body: 0x1000,
  rtfCompressed: 0x1009,
  html: 0x1013,
  displayName: 0x3001,
  attachmentData: 0x3701,
  attachmentExtension: 0x3703,
  attachmentFileName: 0x3704,
  attachmentLongFileName: 0x3707,
} as const;

/** Attributes by id; the last one of an id counts. */
type Attributes = Map<number, Buffer>;

/** Undefined when the signature is another one. */
export function readTnef(bytes: Buffer): TnefMessage | undefined {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== SIGNATURE) return undefined;
  const message: Attributes = new Map();
  const attachments: Attributes[] = [];
  let at = HEADER_BYTES;
  while (at + ATTRIBUTE_HEADER_BYTES <= bytes.length) {
    const id = bytes.readUInt32LE(at + 1);
    const start = at + ATTRIBUTE_HEADER_BYTES;
    const end = start + bytes.readUInt32LE(at + 5);
    if (id === ATTRIBUTE.attachmentStart) attachments.push(new Map());
    const owner = bytes[at] === 2 ? attachments.at(-1) : message;
    owner?.set(id, bytes.subarray(start, end));
    at = end + CHECKSUM_BYTES;
  }
  const codePage = codePageOf(message.get(ATTRIBUTE.oemCodePage));
  return {
    ...describe(message, codePage),
    attachments: attachments.map((attributes) => toAttachment(attributes, codePage)),
    truncated: at > bytes.length,
  };
}

function describe(message: Attributes, codePage: string): Omit<TnefMessage, 'attachments' | 'truncated'> {
  const properties = new MapiProperties(message.get(ATTRIBUTE.messageProperties), codePage);
  const string = (id: number): string | undefined => decodeString(message.get(id), codePage);
  return {
    subject:
      properties.text(PROPERTY.subject) ?? string(ATTRIBUTE.subject) ?? properties.text(PROPERTY.conversationTopic),
    senderName: properties.text(PROPERTY.senderName) ?? properties.text(PROPERTY.sentRepresentingName),
    senderAddress: smtpAddress(properties),
    sentAt: properties.time(PROPERTY.clientSubmitTime) ?? oldDate(message.get(ATTRIBUTE.dateSent)),
    compressedRtf: properties.binary(PROPERTY.rtfCompressed),
    html: properties.binary(PROPERTY.html),
    text: properties.text(PROPERTY.body) ?? string(ATTRIBUTE.body),
  };
}

function smtpAddress(properties: MapiProperties): string | undefined {
  const address = properties.text(PROPERTY.senderSmtpAddress) ?? properties.text(PROPERTY.senderAddress);
  // Inside an organisation the address is a directory path (/o=…/cn=…), which nobody searches for.
  return address?.includes('@') === true ? address : undefined;
}

function toAttachment(attributes: Attributes, codePage: string): TnefAttachment {
  const properties = new MapiProperties(attributes.get(ATTRIBUTE.attachmentProperties), codePage);
  const extension = properties.text(PROPERTY.attachmentExtension);
  const message = properties.embeddedMessage(PROPERTY.attachmentData);
  return {
    name:
      properties.text(PROPERTY.attachmentLongFileName) ??
      properties.text(PROPERTY.attachmentFileName) ??
      decodeString(attributes.get(ATTRIBUTE.attachmentTitle), codePage) ??
      properties.text(PROPERTY.displayName) ??
      (extension === undefined ? '' : `unknown${extension}`),
    content: attributes.get(ATTRIBUTE.attachmentData) ?? properties.binary(PROPERTY.attachmentData),
    message,
  };
}

function codePageOf(value: Buffer | undefined): string {
  const name = value !== undefined && value.length >= 4 ? `cp${value.readUInt32LE(0)}` : '';
  return iconv.encodingExists(name) ? name : 'cp1252';
}

function decodeString(value: Buffer | undefined, codePage: string): string | undefined {
  if (value === undefined) return undefined;
  const end = value.indexOf(0);
  return iconv.decode(end === -1 ? value : value.subarray(0, end), codePage) || undefined;
}

/** Seven u16: year, month, day, hour, minute, second, day of week. */
function oldDate(value: Buffer | undefined): Date | undefined {
  if (value === undefined || value.length < 12) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = [0, 2, 4, 6, 8, 10].map((at) =>
    value.readUInt16LE(at),
  );
  return year < 1900 ? undefined : new Date(Date.UTC(year, month - 1, day, hour, minute, second));
}
