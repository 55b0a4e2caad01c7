import type { JobSettings } from './job-settings.js';
import { isEmbedded } from './engine-provider.js';

/**
 * What a command takes the settings of a job for. A run needs all of them; a command that only reads must not fail because
 * of a setting that it never looks at, such as a password whose environment variable is set for the service only.
 *
 *   run       everything
 *   location  where the job's tree is: to find the job of a path
 *   catalog   what the job has noted about its files
 *   search    the index
 *   tree      tree, catalog and index compared
 *   contents  the same, with the text of the files
 *   extract   the text of files
 *   report    nothing: what is wrong is reported, not refused (`doctor`)
 */
export type Purpose = 'run' | 'location' | 'catalog' | 'search' | 'tree' | 'contents' | 'extract' | 'report';

/** Keys and sections that a purpose looks at. */
const LOOKED_AT: Readonly<Record<Purpose, readonly string[]>> = {
  run: [],
  location: ['name', 'fs.url', 'fs.provider', 'server.protocol'],
  catalog: ['name'],
  search: ['name', 'engine'],
  tree: ['name', 'fs', 'tags', 'extractor', 'engine', 'server'],
  contents: ['name', 'fs', 'tags', 'extractor', 'engine', 'server', 'passwords'],
  extract: ['fs', 'extractor', 'passwords'],
  report: [],
};

/** Sections that mean something only when another setting says so. */
const CONDITIONS: readonly (readonly [section: string, applies: (settings: JobSettings) => boolean])[] = [
  ['server', ({ fs }) => fs.provider !== 'local'],
  ['fs.s3', ({ fs }) => fs.provider === 's3'],
  ['fs.webdav', ({ fs }) => fs.provider === 'webdav'],
  ['extractor.tika', ({ extractor }) => extractor.provider !== 'embedded'],
  ['passwords.providers', ({ passwords }) => passwords.provider !== 'noop'],
  ['engine', ({ engine }) => !isEmbedded(engine)],
];

const ALWAYS: ReadonlySet<string> = new Set([
  'engine.provider',
  'engine.urls',
  'engine.index',
  'engine.index_folder',
  'server.protocol',
]);

/** Whether the setting matters to what the settings are taken for. */
export function isLookedAt(path: string, purpose: Purpose, settings: JobSettings): boolean {
  if (purpose === 'run') return true;
  if (!LOOKED_AT[purpose].some((prefix) => isIn(prefix, path))) return false;
  return ALWAYS.has(path) || CONDITIONS.every(([section, applies]) => !isIn(section, path) || applies(settings));
}

function isIn(section: string, path: string): boolean {
  return path === section || path.startsWith(`${section}.`);
}
