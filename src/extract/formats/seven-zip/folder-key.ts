import { createDecipheriv, createHash } from 'node:crypto';
import { CrawlerError } from '../../../base/errors.js';
import { damagedHeader } from './byte-reader.js';

/**
 * Encryption of 7z: AES-256 in CBC mode. The key is the SHA-256 of a row of 2^n rounds, each of the salt, the password in
 * UTF-16 and the number of the round in eight bytes. Nothing tells whether a password is right but the contents.
 *
 * The properties of the coder: n in the six low bits of the first byte, with the two others and the second byte giving the
 * lengths of the salt and of the initialisation vector, which follow.
 */
const KEY_BYTES = 32;
const BLOCK_BYTES = 16;
/** Means that salt and password are the key themselves. */
const NO_ROUNDS = 0x3f;
/** 7-Zip uses 19; this much takes seconds. */
const MOST_POWER = 24;
/** Rounds that are hashed at once. */
const ROUNDS_AT_ONCE = 4096;

/** Makes keys, and remembers them: all folders of an archive mostly have the same salt. */
export class FolderKeys {
  readonly #known = new Map<string, Buffer>();

  decrypt(packed: Buffer, properties: Buffer, password: string): Buffer {
    const { power, salt, vector } = parseEncryption(properties);
    const id = `${power} ${salt.toString('hex')} ${password}`;
    const key = this.#known.get(id) ?? deriveKey(power, salt, Buffer.from(password, 'utf16le'));
    this.#known.set(id, key);
    const decipher = createDecipheriv('aes-256-cbc', key, vector).setAutoPadding(false);
    return decipher.update(packed.subarray(0, packed.length - (packed.length % BLOCK_BYTES)));
  }
}

function parseEncryption(properties: Buffer): { power: number; salt: Buffer; vector: Buffer } {
  const [first = 0, second = 0] = properties;
  const power = first & 0x3f;
  const saltLength = (first >>> 7) + (second >>> 4);
  const vectorLength = ((first >>> 6) & 1) + (second & 0x0f);
  if (properties.length < 2 + saltLength + vectorLength) throw damagedHeader();
  if (power > MOST_POWER && power !== NO_ROUNDS) {
    throw new CrawlerError('unsupported', `The 7z archive asks for 2^${power} rounds of key derivation.`);
  }
  const vector = Buffer.alloc(BLOCK_BYTES);
  properties.copy(vector, 0, 2 + saltLength, 2 + saltLength + vectorLength);
  return { power, salt: properties.subarray(2, 2 + saltLength), vector };
}

function deriveKey(power: number, salt: Buffer, password: Buffer): Buffer {
  if (power === NO_ROUNDS) return Buffer.concat([salt, password, Buffer.alloc(KEY_BYTES)]).subarray(0, KEY_BYTES);
  const round = Buffer.concat([salt, password, Buffer.alloc(8)]);
  const rounds = 2 ** power;
  const atOnce = Math.min(rounds, ROUNDS_AT_ONCE);
  const block = Buffer.alloc(round.length * atOnce, round);
  const hash = createHash('sha256');
  for (let first = 0; first < rounds; first += atOnce) {
    for (let index = 0; index < atOnce; index++) {
      block.writeUInt32LE(first + index, (index + 1) * round.length - 8);
    }
    hash.update(block);
  }
  return hash.digest();
}
