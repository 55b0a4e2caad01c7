import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json, settings/ and bin/, wherever the compiled files stand below it. */
export const packageRoot: string = packageRootOf(fileURLToPath(import.meta.url));

/** The folder of the package that a file of the program belongs to. */
export function packageRootOf(file: string): string {
  const folder = dirname(file);
  if (folder === file) throw new Error('package.json of the crawler was not found above its own files.');
  return existsSync(join(folder, 'package.json')) ? folder : packageRootOf(folder);
}

/** The version of this program, from package.json. */
export function packageVersion(): string {
  const text = readFileSync(join(packageRoot, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
