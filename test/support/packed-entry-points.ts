import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as compiled from '../../src/base/entry-points.js';

/**
 * What the program under test takes for `base/entry-points` (jest.config.js): its threads and child processes are those of
 * the package, which start in half the time and are what people run. Without a package they are the compiled ones.
 */
export function entryPoint(name: compiled.EntryPoint): URL {
  const folder = process.env['PROGRAM_PACKAGE'];
  if (folder === undefined) return compiled.entryPoint(name);
  return pathToFileURL(join(import.meta.dirname, '../..', folder, 'lib', `${name}.cjs`));
}

export const { webFolder, entryPoints } = compiled;
