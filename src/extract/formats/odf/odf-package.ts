import { CrawlerError } from '../../../base/errors.js';
import { inflateEntry } from '../../containers/zip/zip-inflate.js';
import { readOrRecover } from '../../containers/zip/read-or-recover.js';
import { openZip, type ZipArchive } from '../../containers/zip/zip.js';
import type { ZipEntry } from '../../containers/zip/zip-record.js';
import type { FormatContext } from '../../format.js';
import { decryptOdfEntry, readEncryption, type EntryEncryption } from './odf-encryption.js';

/** The entries of an OpenDocument package, decrypted. */
export class OdfPackage {
  readonly #zip: ZipArchive;
  readonly #context: FormatContext;
  readonly #encryption: ReadonlyMap<string, EntryEncryption>;
  #passwords: readonly string[];

  constructor(bytes: Uint8Array, context: FormatContext) {
    this.#context = context;
    this.#passwords = context.passwords;
    this.#zip = openZip(bytes, { countBytes: (count) => context.countBytes(count), passwords: context.passwords });
    if (this.#zip.find('encrypted-package') !== undefined) throw closed();
    const manifest = this.#zip.find('META-INF/manifest.xml');
    const bytesOfManifest = manifest && this.#readPlain(manifest);
    this.#encryption = bytesOfManifest === undefined ? new Map() : readEncryption(bytesOfManifest);
  }

  get names(): string[] {
    return this.#zip.entries.filter((entry) => !entry.directory).map((entry) => entry.name);
  }

  /** Undefined when there is no such entry, or nothing of it is readable. Throws `encrypted` when no password fits. */
  read(name: string): Uint8Array | undefined {
    const entry = this.#zip.find(name);
    if (entry === undefined) return undefined;
    const bytes = this.#readPlain(entry);
    const encryption = this.#encryption.get(name);
    return bytes === undefined || encryption === undefined ? bytes : this.#decrypt(bytes, encryption);
  }

  #readPlain(entry: ZipEntry): Uint8Array | undefined {
    return readOrRecover(this.#zip, entry, (message) => this.#context.warn(message));
  }

  #decrypt(bytes: Uint8Array, encryption: EntryEncryption): Uint8Array {
    for (const password of this.#passwords) {
      const deflated = decryptOdfEntry(bytes, encryption, password);
      if (deflated === undefined) continue;
      this.#passwords = [password, ...this.#passwords.filter((each) => each !== password)];
      return inflateEntry(deflated, 0, (count) => this.#context.countBytes(count));
    }
    throw closed();
  }
}

function closed(): CrawlerError {
  return new CrawlerError('encrypted', 'The document is encrypted and no password opens it.');
}
