import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { tempDir } from '../../support/temp-dir.js';

const examples = fileURLToPath(new URL('../../../examples', import.meta.url));
const documents = join(examples, 'documents');

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.map((file) => relative(folder, file).replaceAll('\\', '/')).sort();
}

describe('examples/documents', () => {
  test.each(['UTC', 'Asia/Tokyo'])('are what the script makes, byte by byte, in time zone %s', (zone) => {
    const folder = tempDir();
    const env = { ...process.env, TZ: zone };
    execFileSync(process.execPath, [join(examples, 'make-documents.mjs'), folder], { env });
    expect(filesBelow(folder)).toEqual(filesBelow(documents));
    for (const file of filesBelow(documents)) {
      expect([file, readFileSync(join(folder, file)).equals(readFileSync(join(documents, file)))]).toEqual([
        file,
        true,
      ]);
    }
  });

  test('are small enough to come with every installation', () => {
    const bytes = filesBelow(documents).reduce((sum, file) => sum + statSync(join(documents, file)).size, 0);
    expect(bytes).toBeLessThan(600 * 1024);
  });

  test('are all explained in the README', () => {
    const readme = readFileSync(join(examples, 'README.md'), 'utf8');
    const explained = [...readme.matchAll(/^\| `([^`]+\/[^`]+)` +\|/gm)].map((match) => match[1]);
    expect(explained.sort()).toEqual(filesBelow(documents));
  });
});
