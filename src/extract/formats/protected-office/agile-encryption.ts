import { createDecipheriv, getHashes, hash } from 'node:crypto';
import { CrawlerError } from '../../../base/errors.js';
import { parseXml } from '../../containers/xml/xml.js';

/**
 * "Agile" encryption, the way of Office since 2010 ([MS-OFFCRYPTO] 2.3.4.10 to 2.3.4.15).
 *
 * `EncryptionInfo` is eight bytes (version 4.4) and XML. The password is hashed with a salt, and the hash hashed again as often
 * as `spinCount` says. That takes nearly all the time, so it is done once for each candidate; from the result come three keys,
 * told apart by constants. Two of them open a random text and its hash, by which a password is known to be right; the third
 * opens the key of the package. `EncryptedPackage` is the length of the file in eight bytes, and the file in segments of
 * 4096 bytes, each with an initialisation vector from its number.
 */
export interface AgileEncryption {
  readonly spinCount: number;
  readonly password: CipherFacts & {
    readonly verifierInput: Buffer;
    readonly verifierHash: Buffer;
    readonly key: Buffer;
  };
  readonly content: CipherFacts;
}

interface CipherFacts {
  /** Name of a digest of node:crypto. */
  readonly digest: string;
  readonly digestBytes: number;
  readonly keyBytes: number;
  readonly blockBytes: number;
  readonly salt: Buffer;
}

const VERSION = '0400040040000000';
const SEGMENT_BYTES = 4096;
const LENGTH_BYTES = 8;
/** Keys and vectors that are too short are filled with this. */
const FILLER = 0x36;
const PURPOSE = {
  verifierInput: Buffer.from('fea7d2763b4b9e79', 'hex'),
  verifierHash: Buffer.from('d7aa0f6d3061344e', 'hex'),
  key: Buffer.from('146e0be7abacd0d6', 'hex'),
} as const;

/** Undefined when the document is encrypted in another way, or with something else than AES in blocks. */
export function readAgileEncryption(information: Uint8Array): AgileEncryption | undefined {
  const bytes = Buffer.from(information.buffer, information.byteOffset, information.byteLength);
  if (bytes.subarray(0, LENGTH_BYTES).toString('hex') !== VERSION) return undefined;
  let content: CipherFacts | undefined;
  let password: AgileEncryption['password'] | undefined;
  let spinCount = 0;
  parseXml(bytes.subarray(LENGTH_BYTES), {
    open: (name, attributes) => {
      const get = (attribute: string): string => attributes.get(attribute) ?? '';
      if (name === 'keyData') content = factsOf(get);
      // Beside the password there may be certificates, which have no spin count.
      if (name !== 'encryptedKey' || get('spinCount') === '') return;
      const facts = factsOf(get);
      spinCount = Number(get('spinCount'));
      password = facts && {
        ...facts,
        verifierInput: Buffer.from(get('encryptedVerifierHashInput'), 'base64'),
        verifierHash: Buffer.from(get('encryptedVerifierHashValue'), 'base64'),
        key: Buffer.from(get('encryptedKeyValue'), 'base64'),
      };
    },
  });
  return content === undefined || password === undefined ? undefined : { spinCount, password, content };
}

/** The file inside, or undefined when the password is not the right one. Throws `corrupt` when the file is damaged. */
export function decryptAgile(
  { spinCount, password: facts, content }: AgileEncryption,
  encrypted: Uint8Array,
  password: string,
): Buffer | undefined {
  const derived = derive(facts, spinCount, password);
  const open = (purpose: keyof typeof PURPOSE, sealed: Buffer): Buffer =>
    decipher(facts, keyFor(facts, derived, PURPOSE[purpose]), fitted(facts.salt, facts.blockBytes), sealed);
  try {
    const input = open('verifierInput', facts.verifierInput).subarray(0, facts.salt.length);
    const expected = open('verifierHash', facts.verifierHash).subarray(0, facts.digestBytes);
    if (!hash(facts.digest, input, 'buffer').equals(expected)) return undefined;
    return decryptPackage(content, open('key', facts.key).subarray(0, content.keyBytes), encrypted);
  } catch (cause) {
    throw new CrawlerError('corrupt', 'The encrypted document is damaged.', { cause });
  }
}

const DIGEST_BYTES: Readonly<Record<string, number>> = { md5: 16, sha1: 20, sha256: 32, sha384: 48, sha512: 64 };
const KEY_BYTES: ReadonlySet<number> = new Set([16, 24, 32]);
const AES_BLOCK_BYTES = 16;

function factsOf(get: (attribute: string) => string): CipherFacts | undefined {
  const digest = get('hashAlgorithm').replace('-', '').toLowerCase();
  const digestBytes = DIGEST_BYTES[digest];
  const keyBytes = Number(get('keyBits')) / 8;
  const isKnown = get('cipherAlgorithm') === 'AES' && get('cipherChaining') === 'ChainingModeCBC';
  if (!isKnown || digestBytes === undefined || !getHashes().includes(digest) || !KEY_BYTES.has(keyBytes))
    return undefined;
  const salt = Buffer.from(get('saltValue'), 'base64');
  return { digest, digestBytes, keyBytes, blockBytes: AES_BLOCK_BYTES, salt };
}

function derive({ digest, digestBytes, salt }: CipherFacts, spinCount: number, password: string): Buffer {
  let derived = hash(digest, Buffer.concat([salt, Buffer.from(password, 'utf16le')]), 'buffer');
  const next = Buffer.alloc(4 + digestBytes);
  for (let spin = 0; spin < spinCount; spin++) {
    next.writeUInt32LE(spin, 0);
    derived.copy(next, 4);
    derived = hash(digest, next, 'buffer');
  }
  return derived;
}

function keyFor({ digest, keyBytes }: CipherFacts, derived: Buffer, purpose: Buffer): Buffer {
  return fitted(hash(digest, Buffer.concat([derived, purpose]), 'buffer'), keyBytes);
}

function decryptPackage(facts: CipherFacts, key: Buffer, encrypted: Uint8Array): Buffer {
  const bytes = Buffer.from(encrypted.buffer, encrypted.byteOffset, encrypted.byteLength);
  const sealed = bytes.subarray(LENGTH_BYTES, bytes.length - ((bytes.length - LENGTH_BYTES) % facts.blockBytes));
  const length = Math.min(sealed.length, Number(bytes.readBigUInt64LE(0)));
  const plain: Buffer[] = [];
  const number = Buffer.alloc(4);
  for (let at = 0; at < length; at += SEGMENT_BYTES) {
    number.writeUInt32LE(at / SEGMENT_BYTES, 0);
    const vector = fitted(hash(facts.digest, Buffer.concat([facts.salt, number]), 'buffer'), facts.blockBytes);
    plain.push(decipher(facts, key, vector, sealed.subarray(at, at + SEGMENT_BYTES)));
  }
  return Buffer.concat(plain).subarray(0, length);
}

function decipher({ keyBytes }: CipherFacts, key: Buffer, vector: Buffer, sealed: Buffer): Buffer {
  const cipher = createDecipheriv(`aes-${keyBytes * 8}-cbc`, key, vector).setAutoPadding(false);
  return Buffer.concat([cipher.update(sealed), cipher.final()]);
}

function fitted(bytes: Buffer, length: number): Buffer {
  return bytes.length >= length
    ? bytes.subarray(0, length)
    : Buffer.concat([bytes, Buffer.alloc(length - bytes.length, FILLER)]);
}
