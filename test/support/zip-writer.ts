import { createCipheriv, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';

/** Writes zip archives in all the forms that a reader meets, right ones and wrong ones. */
export interface ZipMember {
  readonly name: string;
  readonly content: Uint8Array;
  readonly store?: boolean;
  /** The name's bytes, when they are not UTF-8; the UTF-8 flag is then off. */
  readonly rawName?: Buffer;
  readonly encrypt?: { readonly scheme: 'traditional' | 'aes128' | 'aes256'; readonly password: string };
  /** Sizes and checksum follow the data, as in archives that were written as a stream. */
  readonly streamed?: boolean;
  /** What the headers say, instead of the truth. */
  readonly statedSize?: number;
  readonly method?: number;
}

export interface ZipForm {
  readonly prefix?: Buffer;
  readonly comment?: string;
  readonly zip64?: boolean;
  readonly withoutDirectory?: boolean;
}

interface Prepared {
  readonly member: ZipMember;
  readonly name: Buffer;
  readonly data: Buffer;
  readonly method: number;
  readonly flags: number;
  readonly crc: number;
  readonly size: number;
  readonly extra: Buffer;
}

const AES_STRENGTH = { aes128: 1, aes256: 3 } as const;

export function writeZip(members: readonly ZipMember[], form: ZipForm = {}): Buffer {
  const prefix = form.prefix ?? Buffer.alloc(0);
  const pieces = [prefix];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const prepared of members.map(prepare)) {
    const local = Buffer.concat([
      localHeader(prepared),
      prepared.name,
      prepared.extra,
      prepared.data,
      descriptor(prepared),
    ]);
    directory.push(centralHeader(prepared, offset, form.zip64 === true));
    pieces.push(local);
    offset += local.length;
  }
  if (form.withoutDirectory === true) return Buffer.concat(pieces);
  const central = Buffer.concat(directory);
  return Buffer.concat([...pieces, central, endRecords(members.length, central.length, offset, form)]);
}

function prepare(member: ZipMember): Prepared {
  const compressed = member.store === true ? Buffer.from(member.content) : deflateRawSync(member.content);
  const crc = crc32(member.content);
  const plainMethod = member.method ?? (member.store === true ? 0 : 8);
  const aes = member.encrypt !== undefined && member.encrypt.scheme !== 'traditional';
  return {
    member,
    name: member.rawName ?? Buffer.from(member.name),
    data: encrypt(compressed, crc, member.encrypt),
    method: aes ? 99 : plainMethod,
    flags: (member.rawName === undefined ? 0x0800 : 0) | (member.encrypt ? 1 : 0) | (member.streamed === true ? 8 : 0),
    crc: aes ? 0 : crc,
    size: member.statedSize ?? member.content.length,
    extra: aes ? aesExtra(member, plainMethod) : Buffer.alloc(0),
  };
}

function aesExtra(member: ZipMember, method: number): Buffer {
  const extra = Buffer.from([0x01, 0x99, 7, 0, 2, 0, 0x41, 0x45, 0, 0, 0]);
  extra[8] = AES_STRENGTH[member.encrypt?.scheme === 'aes128' ? 'aes128' : 'aes256'];
  extra.writeUInt16LE(method, 9);
  return extra;
}

function commonFields(prepared: Prepared, known: boolean): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(prepared.flags, 2);
  fields.writeUInt16LE(prepared.method, 4);
  fields.writeUInt32LE(known ? prepared.crc : 0, 10);
  fields.writeUInt32LE(known ? prepared.data.length : 0, 14);
  fields.writeUInt32LE(known ? prepared.size : 0, 18);
  fields.writeUInt16LE(prepared.name.length, 22);
  fields.writeUInt16LE(prepared.extra.length, 24);
  return fields;
}

function localHeader(prepared: Prepared): Buffer {
  return Buffer.concat([
    Buffer.from('PK\u0003\u0004', 'latin1'),
    commonFields(prepared, prepared.member.streamed !== true),
  ]);
}

function descriptor(prepared: Prepared): Buffer {
  if (prepared.member.streamed !== true) return Buffer.alloc(0);
  const bytes = Buffer.alloc(16);
  bytes.write('PK\u0007\u0008', 'latin1');
  bytes.writeUInt32LE(prepared.crc, 4);
  bytes.writeUInt32LE(prepared.data.length, 8);
  bytes.writeUInt32LE(prepared.size, 12);
  return bytes;
}

function centralHeader(prepared: Prepared, offset: number, wide: boolean): Buffer {
  const extra = wide ? wideExtra(prepared, offset) : prepared.extra;
  const fields = commonFields({ ...prepared, extra }, true);
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(wide ? 0xffffffff : offset, 10);
  if (wide) fields.fill(0xff, 14, 22);
  return Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0003', 'latin1'), fields, tail, prepared.name, extra]);
}

function wideExtra(prepared: Prepared, offset: number): Buffer {
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  [prepared.size, prepared.data.length, offset].forEach((value, index) =>
    extra.writeBigUInt64LE(BigInt(value), 4 + index * 8),
  );
  return Buffer.concat([extra, prepared.extra]);
}

function endRecords(count: number, size: number, offset: number, form: ZipForm): Buffer {
  const comment = Buffer.from(form.comment ?? '');
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(form.zip64 === true ? 0xffff : count, 10);
  end.writeUInt32LE(form.zip64 === true ? 0xffffffff : size, 12);
  end.writeUInt32LE(form.zip64 === true ? 0xffffffff : offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([form.zip64 === true ? zip64Records(count, size, offset) : Buffer.alloc(0), end, comment]);
}

function zip64Records(count: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(56);
  record.write('PK\u0006\u0006', 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\u0006\u0007', 'latin1');
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  return Buffer.concat([record, locator]);
}

function encrypt(data: Buffer, crc: number, how: ZipMember['encrypt']): Buffer {
  if (how === undefined) return data;
  return how.scheme === 'traditional' ? encryptTraditional(data, crc, how.password) : encryptAes(data, how);
}

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

function encryptTraditional(data: Buffer, crc: number, password: string): Buffer {
  const keys = [0x12345678, 0x23456789, 0x34567890] as [number, number, number];
  const feed = (byte: number): void => {
    keys[0] = ((table[(keys[0] ^ byte) & 0xff] ?? 0) ^ (keys[0] >>> 8)) >>> 0;
    keys[1] = (Math.imul(keys[1] + (keys[0] & 0xff), 134775813) + 1) >>> 0;
    keys[2] = ((table[(keys[2] ^ (keys[1] >>> 24)) & 0xff] ?? 0) ^ (keys[2] >>> 8)) >>> 0;
  };
  for (const byte of Buffer.from(password)) feed(byte);
  const header = randomBytes(12);
  header[11] = crc >>> 24;
  const plain = Buffer.concat([header, data]);
  return Buffer.from(
    plain.map((byte) => {
      const mixed = (keys[2] & 0xffff) | 2;
      feed(byte);
      return byte ^ ((Math.imul(mixed, mixed ^ 1) >>> 8) & 0xff);
    }),
  );
}

function encryptAes(data: Buffer, how: { scheme: 'traditional' | 'aes128' | 'aes256'; password: string }): Buffer {
  const keyLength = how.scheme === 'aes128' ? 16 : 32;
  const salt = randomBytes(keyLength / 2);
  const keys = pbkdf2Sync(how.password, salt, 1000, keyLength * 2 + 2, 'sha1');
  const cipher = createCipheriv(`aes-${keyLength * 8}-ecb`, keys.subarray(0, keyLength), null).setAutoPadding(false);
  const encrypted = Buffer.from(data);
  for (let block = 0; block * 16 < data.length; block++) {
    const counter = Buffer.alloc(16);
    counter.writeUInt32LE(block + 1, 0);
    const mask = cipher.update(counter);
    for (let index = block * 16; index < Math.min(data.length, block * 16 + 16); index++) {
      encrypted[index] = (data[index] ?? 0) ^ (mask[index % 16] ?? 0);
    }
  }
  const tag = createHmac('sha1', keys.subarray(keyLength, keyLength * 2))
    .update(encrypted)
    .digest()
    .subarray(0, 10);
  return Buffer.concat([salt, keys.subarray(keyLength * 2), encrypted, tag]);
}
