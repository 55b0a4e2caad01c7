import { writeOle, type OleStream } from '../../src/extract/containers/ole/ole-writer.js';
import { fileTime } from './property-set-builder.js';

/** Writes Outlook messages. Properties are named by their number and type, such as `0037001F`. */
export interface MessageParts {
  /** Long values: strings by their type (`001F` Unicode, `001E` bytes), bytes as they are. */
  readonly values?: Readonly<Record<string, string | Buffer>>;
  readonly times?: Readonly<Record<number, Date>>;
  readonly numbers?: Readonly<Record<number, number>>;
}

export interface Message extends MessageParts {
  readonly recipients?: readonly MessageParts[];
  readonly attachments?: readonly (MessageParts & { readonly message?: Message })[];
}

const FILE_HEADER = 32;
const INNER_HEADER = 24;
const SMALL_HEADER = 8;

export function message(parts: Message): Uint8Array {
  return writeOle({ streams: messageStreams(parts, '', FILE_HEADER) });
}

function messageStreams(parts: Message, prefix: string, header: number): OleStream[] {
  return [
    ...propertyStreams(parts, prefix, header),
    ...(parts.recipients ?? []).flatMap((recipient, index) =>
      propertyStreams(recipient, `${prefix}__recip_version1.0_#${hex(index)}/`, SMALL_HEADER),
    ),
    ...(parts.attachments ?? []).flatMap((attachment, index) => {
      const storage = `${prefix}__attach_version1.0_#${hex(index)}/`;
      const inner = attachment.message;
      return [
        ...propertyStreams(attachment, storage, SMALL_HEADER),
        ...(inner === undefined ? [] : messageStreams(inner, `${storage}__substg1.0_3701000D/`, INNER_HEADER)),
      ];
    }),
  ];
}

function propertyStreams(parts: MessageParts, prefix: string, header: number): OleStream[] {
  const entries: Buffer[] = [Buffer.alloc(header)];
  for (const [property, time] of Object.entries(parts.times ?? {})) {
    entries.push(entry(Number(property), 0x40, fileTime(time)));
  }
  for (const [property, value] of Object.entries(parts.numbers ?? {})) {
    entries.push(entry(Number(property), 0x03, BigInt(value)));
  }
  const streams = Object.entries(parts.values ?? {}).map(([tag, value]) => ({
    path: `${prefix}__substg1.0_${tag}`,
    bytes: typeof value === 'string' ? Buffer.from(value, tag.endsWith('001F') ? 'utf16le' : 'latin1') : value,
  }));
  return [{ path: `${prefix}__properties_version1.0`, bytes: Buffer.concat(entries) }, ...streams];
}

function entry(property: number, type: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt16LE(type, 0);
  bytes.writeUInt16LE(property, 2);
  bytes.writeBigUInt64LE(value, 8);
  return bytes;
}

function hex(index: number): string {
  return index.toString(16).toUpperCase().padStart(8, '0');
}
