/**
 * Writes examples/documents: real documents of many formats for the first try of the crawler, for the manual, and for tests.
 *
 *     node examples/make-documents.mjs             writes examples/documents anew
 *     node examples/make-documents.mjs FOLDER      writes the same documents into another folder
 *
 * Everything is about Portholm, a harbour that does not exist (`makers/prose.mjs`). The documents are written by the small
 * makers beside this script, byte by byte the same on every machine and in every time zone: times are fixed, and only
 * libraries of pinned versions are used (fflate to compress, iconv-lite for charsets). When a maker or a text changes, run
 * the script and commit what it writes.
 *
 * examples/README.md says what each document is and how to crawl them.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { archives } from './contents/archives.mjs';
import { contracts } from './contents/contracts.mjs';
import { handbook } from './contents/handbook.mjs';
import { mail } from './contents/mail.mjs';
import { media } from './contents/media.mjs';
import { reports } from './contents/reports.mjs';
import { texts } from './contents/texts.mjs';

const own = join(dirname(fileURLToPath(import.meta.url)), 'documents');
const target = process.argv[2] ?? own;

const documents = { ...handbook(), ...contracts(), ...reports(), ...mail(), ...media(), ...texts(), ...archives() };

// Documents that are no longer made go away; another folder is not ours to clear.
if (target === own) rmSync(own, { recursive: true, force: true });
let bytes = 0;
for (const [path, content] of Object.entries(documents)) {
  const file = join(target, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  bytes += content.length;
}
console.log(`${Object.keys(documents).length} documents, ${Math.round(bytes / 1024)} KB, written to ${target}`);
