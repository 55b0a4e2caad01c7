import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import ssh2, { type ParsedKey } from 'ssh2';
import { messageOf } from '../../base/errors.js';
import { keyFault } from './ssh-fault.js';

export interface PrivateKey {
  readonly key: ParsedKey;
  /** The passphrase was needed. */
  readonly encrypted: boolean;
}

/**
 * A private key from a file: PEM (`BEGIN RSA PRIVATE KEY` and its like), OpenSSH's own format, PuTTY's, each with or
 * without a passphrase. PKCS#8 (`BEGIN PRIVATE KEY`, `BEGIN ENCRYPTED PRIVATE KEY`), which the SSH client does not read, is
 * turned into the older PEM form first. Throws `settings_invalid`, never with a word of the file's content.
 */
export async function readPrivateKey(path: string, passphrase: string | undefined): Promise<PrivateKey> {
  try {
    const bytes = await readFile(path);
    if (passphrase === undefined) return { key: parsed(bytes, undefined), encrypted: false };
    const encrypted = isEncrypted(bytes);
    return { key: parsed(bytes, encrypted ? passphrase : undefined), encrypted };
  } catch (error) {
    throw keyFault(path, error);
  }
}

/** Nothing but a passphrase is missing. */
function isEncrypted(bytes: Buffer): boolean {
  try {
    parsed(bytes, undefined);
    return false;
  } catch (error) {
    return messageOf(error) === NEEDS_PASSPHRASE;
  }
}

function parsed(bytes: Buffer, passphrase: string | undefined): ParsedKey {
  const text = bytes.includes('PRIVATE KEY-----') ? toOldPem(bytes, passphrase) : bytes;
  const found = ssh2.utils.parseKey(text, passphrase);
  // An OpenSSH file may hold several keys; all programs write one.
  const key = Array.isArray(found) ? (found as ParsedKey[])[0] : found;
  if (key === undefined || key instanceof Error) throw new Error(reasonOf(key, passphrase));
  if (!key.isPrivateKey()) throw new Error('it is a public key');
  return key;
}

function toOldPem(bytes: Buffer, passphrase: string | undefined): Buffer | string {
  if (!/-----BEGIN (ENCRYPTED )?PRIVATE KEY-----/.test(bytes.toString('latin1'))) return bytes;
  let key;
  try {
    key = createPrivateKey({ key: bytes, ...(passphrase === undefined ? {} : { passphrase }) });
  } catch {
    throw new Error(passphrase === undefined ? NEEDS_PASSPHRASE : WRONG_PASSPHRASE);
  }
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return key.export({ format: 'pem', type: 'pkcs1' });
    case 'ec':
      return key.export({ format: 'pem', type: 'sec1' });
    default:
      throw new Error(
        `keys of type ${key.asymmetricKeyType ?? 'unknown'} are not read from PKCS#8. Convert it with [ssh-keygen -p -f <file>]`,
      );
  }
}

const NEEDS_PASSPHRASE = 'it is encrypted, and no passphrase is given (server.password)';
const WRONG_PASSPHRASE = 'it is damaged, or the passphrase (server.password) does not open it';

function reasonOf(error: Error | undefined, passphrase: string | undefined): string {
  const encrypted = /encrypted|passphrase|integrity/i.test(error?.message ?? '');
  if (!encrypted) return 'it is not a private key that is known (PEM, OpenSSH, PuTTY)';
  return passphrase === undefined ? NEEDS_PASSPHRASE : WRONG_PASSPHRASE;
}
