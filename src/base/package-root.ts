import { existsSync, readFileSync, statSync } from 'node:fs';
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

/**
 * The folder of a package that is installed in this one or beside it. Node's own search asks for the folders on the way, too; where
 * they may not be seen, as in a sandbox, Node 20.19 takes the package for absent.
 */
export function installedPackage(name: string, from = packageRoot): string | undefined {
  const path = join(from, 'node_modules', name);
  if (isThere(path)) return path;
  return dirname(from) === from ? undefined : installedPackage(name, dirname(from));
}

/** False also where nothing may be asked. */
function isThere(path: string): boolean {
  try {
    return statSync(join(path, 'package.json'), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** The version of this program, from package.json. */
export function packageVersion(): string {
  const text = readFileSync(join(packageRoot, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
