import { CrawlerError } from '../../../base/errors.js';
import { openOle } from '../../containers/ole/ole.js';
import type { FormatContext, FormatInput } from '../../format.js';
import { decryptOffice, noPasswordFits, officePasswords } from '../../containers/ole/office-decryption.js';
import { decryptAgile, readAgileEncryption, type AgileEncryption } from './agile-encryption.js';

/**
 * Office documents with a password (docx, xlsx, pptx …): an OLE container with an encrypted package. What comes out of it is
 * handed on as the document itself. Documents under rights management need a server's licence and stay closed.
 */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const container = openOle(input.bytes);
  const information = container.read('EncryptionInfo');
  const encrypted = container.read('EncryptedPackage');
  if (encrypted === undefined || information === undefined) {
    throw new CrawlerError('encrypted', 'The document is protected by rights management and cannot be opened.');
  }
  refuseEndlessDerivation(information);
  const agile = readAgileEncryption(information);
  const plain =
    agile === undefined ? await decryptOffice(input.bytes, context) : openAgile(agile, encrypted, input, context);
  await context.continueAs(plain);
}

function openAgile(
  agile: AgileEncryption,
  encrypted: Uint8Array,
  { bytes }: FormatInput,
  context: FormatContext,
): Uint8Array {
  for (const password of officePasswords(context)) {
    const plain = decryptAgile(agile, encrypted, password);
    if (plain === undefined) continue;
    context.countBytes(plain.length);
    return plain;
  }
  throw noPasswordFits(bytes, context);
}

/**
 * How often the hash of a password is hashed again stands in the file, and every candidate costs that much. Office writes
 * 100,000; a file that asks for far more is made to keep its reader busy.
 */
const MAX_SPINS = 2_000_000;

function refuseEndlessDerivation(information: Uint8Array): void {
  const spins = /spinCount="(\d+)"/.exec(Buffer.from(information).toString('latin1'))?.[1];
  if (spins !== undefined && Number(spins) > MAX_SPINS) {
    throw new CrawlerError(
      'encrypted',
      `The document asks for ${spins} rounds of hashing a password; it stays closed.`,
    );
  }
}
