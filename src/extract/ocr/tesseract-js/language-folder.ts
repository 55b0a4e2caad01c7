import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { LanguageFile } from './protocol.js';

export interface LanguageFolder {
  readonly path: string;
  readonly isPacked: boolean;
  /** To be called when the data have been loaded. */
  remove(): void;
}

/**
 * The library expects all languages in one folder, either all compressed or none. `isPacked` affects only the name: it detects
 * compression by the content.
 */
export function languageFolder(languages: readonly LanguageFile[]): LanguageFolder {
  const [first] = languages.map(({ path }) => path);
  const isPacked = first?.endsWith('.gz') === true;
  const isTogether = languages.every(
    ({ path }) => dirname(path) === dirname(first ?? '') && path.endsWith('.gz') === isPacked,
  );
  if (first !== undefined && isTogether) return { path: dirname(first), isPacked, remove: () => undefined };
  const together = mkdtempSync(join(tmpdir(), 'crawler-ocr-'));
  for (const { language, path } of languages) symlinkSync(path, join(together, `${language}.traineddata.gz`));
  return { path: together, isPacked: true, remove: () => rmSync(together, { recursive: true, force: true }) };
}
