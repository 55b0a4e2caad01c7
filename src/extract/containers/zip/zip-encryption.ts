import { createCipheriv, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import type { ZipRecord } from './zip-record.js';
import { extraField } from './zip-extra.js';

/**
 * Encrypted zip entries.
 *
 * Traditional: three running keys that every plain byte changes. The data starts with 12 bytes of which the last, once
 * decrypted, must equal the high byte of the CRC (or of the time, when the CRC was not known yet): one chance in 256
 * that a wrong password passes.
 *
 * AES (method 99, extra field 0x9901): salt, two bytes to check the password, data, ten bytes of HMAC-SHA1. Keys come
 * from PBKDF2-SHA1 with 1,000 rounds; the stream is AES in counter mode with a little-endian counter that starts at 1.
 */
const METHOD_AES = 99;
const EXTRA_AES = 0x9901;
const FLAG_LENGTH_FOLLOWS = 0x0008;
const FLAG_STRONG = 0x0040;
const TRADITIONAL_HEADER = 12;
const AES_ROUNDS = 1000;
const AES_TAG = 10;
const AES_CHECK = 2;
const AES_BLOCK = 16;

export interface DecryptedEntry {
  readonly bytes: Buffer;
  /** How the decrypted bytes are compressed. */
  readonly method: number;
}

/** Undefined when the password is wrong, or the scheme is one that nobody documents. */
export function decryptEntry(record: ZipRecord, raw: Buffer, password: string): DecryptedEntry | undefined {
  if ((record.flags & FLAG_STRONG) !== 0) return undefined;
  if (record.method === METHOD_AES) return decryptAes(record, raw, Buffer.from(password, 'utf8'));
  return decryptTraditional(record, raw, Buffer.from(password, 'utf8'));
}

function decryptTraditional(record: ZipRecord, raw: Buffer, password: Buffer): DecryptedEntry | undefined {
  if (raw.length < TRADITIONAL_HEADER) return undefined;
  const cipher = new TraditionalCipher(password);
  const header = cipher.decrypt(raw.subarray(0, TRADITIONAL_HEADER));
  const check = header[TRADITIONAL_HEADER - 1];
  const byTime = (record.flags & FLAG_LENGTH_FOLLOWS) !== 0;
  if (check !== record.crc >>> 24 && !(byTime && check === record.time >>> 8)) return undefined;
  return { bytes: cipher.decrypt(raw.subarray(TRADITIONAL_HEADER)), method: record.method };
}

/** CRC-32, one byte at a time: the keys of the traditional cipher run through it. */
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

function crcStep(value: number, byte: number): number {
  return ((crcTable[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8)) >>> 0;
}

class TraditionalCipher {
  #key0 = 0x12345678;
  #key1 = 0x23456789;
  #key2 = 0x34567890;

  constructor(password: Buffer) {
    for (const byte of password) this.#feed(byte);
  }

  decrypt(bytes: Buffer): Buffer {
    const plain = Buffer.allocUnsafe(bytes.length);
    for (let index = 0; index < bytes.length; index++) {
      const mixed = (this.#key2 & 0xffff) | 2;
      const byte = ((bytes[index] ?? 0) ^ (Math.imul(mixed, mixed ^ 1) >>> 8)) & 0xff;
      plain[index] = byte;
      this.#feed(byte);
    }
    return plain;
  }

  #feed(byte: number): void {
    this.#key0 = crcStep(this.#key0, byte);
    this.#key1 = (Math.imul((this.#key1 + (this.#key0 & 0xff)) | 0, 134775813) + 1) >>> 0;
    this.#key2 = crcStep(this.#key2, this.#key1 >>> 24);
  }
}

function decryptAes(record: ZipRecord, raw: Buffer, password: Buffer): DecryptedEntry | undefined {
  const field = extraField(record.extra, EXTRA_AES);
  if (field === undefined || field.length < 7) return undefined;
  const keyLength = 8 + 8 * (field[4] ?? 0);
  const saltLength = keyLength / 2;
  if (![16, 24, 32].includes(keyLength) || raw.length < saltLength + AES_CHECK + AES_TAG) return undefined;
  const keys = pbkdf2Sync(password, raw.subarray(0, saltLength), AES_ROUNDS, 2 * keyLength + AES_CHECK, 'sha1');
  const data = raw.subarray(saltLength + AES_CHECK, raw.length - AES_TAG);
  if (!keys.subarray(2 * keyLength).equals(raw.subarray(saltLength, saltLength + AES_CHECK))) return undefined;
  const tag = createHmac('sha1', keys.subarray(keyLength, 2 * keyLength))
    .update(data)
    .digest()
    .subarray(0, AES_TAG);
  if (!timingSafeEqual(tag, raw.subarray(raw.length - AES_TAG))) return undefined;
  return { bytes: applyAesCounter(data, keys.subarray(0, keyLength)), method: field.readUInt16LE(5) };
}

/** node:crypto's counter mode counts big-endian, so the key stream is made of encrypted counter blocks. */
function applyAesCounter(data: Buffer, key: Buffer): Buffer {
  const stream = Buffer.alloc(Math.ceil(data.length / AES_BLOCK) * AES_BLOCK);
  for (let block = 0; block * AES_BLOCK < stream.length; block++) stream.writeUInt32LE(block + 1, block * AES_BLOCK);
  const cipher = createCipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
  const keyStream = cipher.update(stream);
  const plain = Buffer.allocUnsafe(data.length);
  for (let index = 0; index < data.length; index++) plain[index] = (data[index] ?? 0) ^ (keyStream[index] ?? 0);
  return plain;
}
