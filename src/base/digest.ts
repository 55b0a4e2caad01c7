import { createHash, getHashes } from 'node:crypto';

/**
 * Digests under the names that job files use (JCA names such as `SHA-256`, `SHA3-256`, `MD5`, in any case),
 * and the document-id hash of the peer.
 */
const OPENSSL_NAMES: Readonly<Record<string, string>> = {
  MD5: 'md5',
  SHA: 'sha1',
  SHA1: 'sha1',
  'SHA-1': 'sha1',
  'SHA-224': 'sha224',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
  'SHA-512/224': 'sha512-224',
  'SHA-512/256': 'sha512-256',
  'SHA3-224': 'sha3-224',
  'SHA3-256': 'sha3-256',
  'SHA3-384': 'sha3-384',
  'SHA3-512': 'sha3-512',
};

/** The name that node:crypto knows for a digest of a job file, or undefined when there is none. */
export function digestName(algorithm: string): string | undefined {
  const name = OPENSSL_NAMES[algorithm.trim().toUpperCase()];
  return name !== undefined && getHashes().includes(name) ? name : undefined;
}

export const digestNames: readonly string[] = Object.keys(OPENSSL_NAMES);

/**
 * The id hash. `MD5` is the peer's legacy form: every byte in lower-case hex *without zero padding* (so 0x0a gives `a`
 * and the id has at most 32 characters). Existing indices hold these ids, so the form must not change. Any other
 * algorithm gives ordinary zero-padded lower-case hex. The text is hashed as UTF-8.
 */
export function sign(algorithm: string, text: string): string {
  const name = digestName(algorithm);
  if (name === undefined) throw new RangeError(`Unknown digest algorithm [${algorithm}].`);
  const bytes = createHash(name).update(text, 'utf8').digest();
  if (name !== 'md5') return bytes.toString('hex');
  let id = '';
  for (const byte of bytes) id += byte.toString(16);
  return id;
}
