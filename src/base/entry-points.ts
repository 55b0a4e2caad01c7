import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { packageRoot } from './package-root.js';

/**
 * The files that threads and child processes start with. Nothing else in the program knows where they are: compiled, each
 * file of `src/` is one file of `dist/`; in the bundled package they stand beside each other in `lib/`, under these names.
 */
const COMPILED_FILES = {
  'crawl-thread': '../app/crawl-thread.js',
  'listing-thread': '../crawler/listing-ahead/listing-thread.js',
  'run-work': '../app/run-work-thread.js',
  'inspect-thread': '../app/inspect-thread.js',
  'index-writer': '../engine/embedded/writer/writer-thread.js',
  'index-reader': '../engine/embedded/search/reader-thread.js',
  'index-repair': '../engine/embedded/repair/repair-thread.js',
  'pattern-search': '../ingest/filter/search-thread-entry.js',
  sandbox: '../extract/runtime/sandbox/sandbox-main.js',
  broker: '../extract/runtime/broker/broker-main.js',
  'database-copy': '../operations/backup/database-copy-main.js',
  'tesseract-js': '../extract/ocr/tesseract-js/tesseract-js-main.js',
} as const;

export type EntryPoint = keyof typeof COMPILED_FILES;

export const entryPoints = Object.keys(COMPILED_FILES) as readonly EntryPoint[];

/** Set by the bundler (.ci/bundle.mjs); no compiled file has it. */
declare const CRAWLER_IS_BUNDLED: true | undefined;

/** Address of the file that a thread (`new Worker`) or, as a path, a child process (`fork`) runs. */
export function entryPoint(name: EntryPoint): URL {
  if (typeof CRAWLER_IS_BUNDLED !== 'undefined') return pathToFileURL(join(packageRoot, 'lib', `${name}.cjs`));
  return new URL(COMPILED_FILES[name], import.meta.url);
}

/** The folder of the files that browsers load. */
export function webFolder(): string {
  if (typeof CRAWLER_IS_BUNDLED !== 'undefined') return join(packageRoot, 'lib', 'web');
  return fileURLToPath(new URL('../web', import.meta.url));
}
