import { CrawlerError } from '../../../base/errors.js';
import { openOle } from './ole.js';
import type { FormatContext } from '../../format.js';
import { readPropertySets } from './property-sets.js';

/** What Office itself uses for documents that are protected against changes only; such files open without asking. */
const BUILT_IN = ['VelvetSweatshop'];

/**
 * The decrypted file of an encrypted Office document (OOXML package, doc, xls or ppt). The candidates are tried in order,
 * then what Office uses by itself.
 * @throws CrawlerError `encrypted` when none fits or the way of encryption is unknown
 */
export async function decryptOffice(bytes: Uint8Array, context: FormatContext): Promise<Uint8Array> {
  const { default: officeCrypto } = await import('officecrypto-tool');
  const input = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let cause: unknown;
  for (const password of officePasswords(context)) {
    try {
      const plain = await officeCrypto.decrypt(Buffer.from(input), { password });
      context.countBytes(plain.length);
      return plain;
    } catch (error) {
      if (error instanceof CrawlerError) throw error;
      cause = error;
    }
  }
  throw noPasswordFits(bytes, context, cause);
}

/** The candidates, best first. */
export function officePasswords({ passwords }: FormatContext): readonly string[] {
  return [...passwords.filter((password) => password !== ''), ...BUILT_IN];
}

/** Why the document stays closed; what stays readable has been read by then. */
export function noPasswordFits(bytes: Uint8Array, context: FormatContext, cause?: unknown): CrawlerError {
  // Title, author and dates often are.
  readPropertySets(openOle(bytes), context);
  return new CrawlerError('encrypted', 'The document is encrypted and no known password opens it.', { cause });
}
