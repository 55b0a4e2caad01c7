import { createDecipheriv, createHash, pbkdf2Sync } from 'node:crypto';
import { parseXml } from '../../containers/xml/xml.js';
import { decryptBlowfishCfb } from './blowfish.js';

/**
 * Encrypted OpenDocument packages: each entry is deflated, encrypted, and stored. The manifest tells how, by entry.
 *
 *   start key   digest of the password in UTF-8 (SHA-1, or SHA-256 when the manifest says so)
 *   key         PBKDF2-HMAC-SHA1 of the start key with the entry's salt and number of rounds
 *   data        AES in CBC mode (W3C padding: the last byte counts the bytes to drop), or Blowfish in older files
 *   check       digest of the first 1024 bytes of the deflated data
 *
 * Packages that newer programs encrypt as a whole (Argon2, GCM) have one entry, `encrypted-package`, and stay closed.
 */
export interface EntryEncryption {
  readonly algorithm: string;
  readonly iv: Buffer;
  readonly salt: Buffer;
  readonly rounds: number;
  readonly keySize: number;
  readonly startKeyDigest: 'sha1' | 'sha256';
  readonly checksum: { readonly digest: 'sha1' | 'sha256'; readonly value: Buffer } | undefined;
}

type Draft = { -readonly [Key in keyof EntryEncryption]: EntryEncryption[Key] };

const CHECKED_BYTES = 1024;
/** Programs write 100,000 at most; more is an attempt to keep the reader busy. */
const MAX_ROUNDS = 1_000_000;
const MAX_KEY_SIZE = 64;

/** Entry name to its encryption, from `META-INF/manifest.xml`; empty when nothing is encrypted. */
export function readEncryption(manifest: Uint8Array): ReadonlyMap<string, EntryEncryption> {
  const found = new Map<string, EntryEncryption>();
  let path = '';
  let draft: Draft | undefined;
  parseXml(manifest, {
    open: (name, attributes) => {
      const get = (attribute: string): string => attributes.get(attribute) ?? '';
      if (name === 'file-entry') path = get('full-path');
      if (name === 'encryption-data') draft = newDraft(get('checksum-type'), get('checksum'));
      if (draft === undefined) return;
      if (name === 'algorithm') {
        draft.algorithm = get('algorithm-name').toLowerCase();
        draft.iv = base64(get('initialisation-vector'));
      } else if (name === 'key-derivation') {
        draft.salt = base64(get('salt'));
        draft.rounds = Number(get('iteration-count')) || 0;
        draft.keySize = Number(get('key-size')) || 16;
      } else if (name === 'start-key-generation') draft.startKeyDigest = digestOf(get('start-key-generation-name'));
    },
    close: (name) => {
      if (name !== 'encryption-data' || draft === undefined) return;
      found.set(path, draft);
      draft = undefined;
    },
  });
  return found;
}

/** The deflated data of an entry, or undefined when the password is wrong or the scheme is not known. */
export function decryptOdfEntry(data: Uint8Array, encryption: EntryEncryption, password: string): Buffer | undefined {
  const { rounds, salt, keySize } = encryption;
  if (rounds < 1 || rounds > MAX_ROUNDS || keySize > MAX_KEY_SIZE) return undefined;
  const startKey = createHash(encryption.startKeyDigest).update(password, 'utf8').digest();
  const key = pbkdf2Sync(startKey, salt, rounds, keySize, 'sha1');
  const plain = decrypt(data, encryption, key);
  return plain !== undefined && matchesChecksum(plain, encryption) ? plain : undefined;
}

function decrypt(data: Uint8Array, encryption: EntryEncryption, key: Buffer): Buffer | undefined {
  if (encryption.algorithm.startsWith('blowfish')) {
    return encryption.iv.length === 8 ? decryptBlowfishCfb(data, key, encryption.iv) : undefined;
  }
  if (!/aes\d+-cbc$/.test(encryption.algorithm) || data.length % 16 !== 0 || data.length === 0) return undefined;
  if (encryption.iv.length !== 16 || ![16, 24, 32].includes(key.length)) return undefined;
  const decipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, encryption.iv).setAutoPadding(false);
  const plain = Buffer.concat([decipher.update(data), decipher.final()]);
  const padding = plain.at(-1) ?? 0;
  return padding >= 1 && padding <= 16 ? plain.subarray(0, plain.length - padding) : undefined;
}

function matchesChecksum(plain: Buffer, { checksum }: EntryEncryption): boolean {
  if (checksum === undefined) return true;
  return createHash(checksum.digest).update(plain.subarray(0, CHECKED_BYTES)).digest().equals(checksum.value);
}

function newDraft(checksumType: string, checksum: string): Draft {
  const digest = digestOf(checksumType);
  return {
    algorithm: '',
    iv: Buffer.alloc(0),
    salt: Buffer.alloc(0),
    rounds: 0,
    keySize: 16,
    startKeyDigest: 'sha1',
    checksum: checksum === '' ? undefined : { digest, value: base64(checksum) },
  };
}

/** `SHA1/1K`, `…#sha256`, `urn:…#sha256-1k` and the like. */
function digestOf(name: string): 'sha1' | 'sha256' {
  return /sha-?256/i.test(name) ? 'sha256' : 'sha1';
}

function base64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}
