import { CrawlerError } from '../../base/errors.js';
import type { FormatContext } from '../format.js';

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
  for (const password of [...context.passwords, ...BUILT_IN]) {
    if (password === '') continue;
    try {
      const plain = await officeCrypto.decrypt(Buffer.from(input), { password });
      context.countBytes(plain.length);
      return plain;
    } catch (error) {
      if (error instanceof CrawlerError) throw error;
      cause = error;
    }
  }
  throw new CrawlerError('encrypted', 'The document is encrypted and no known password opens it.', { cause });
}
