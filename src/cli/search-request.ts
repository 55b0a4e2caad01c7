import { printable } from '../base/printable.js';
import { Facets, facetNames, type FacetAnswer, type FacetName } from '../search/facets.js';
import type { FindRequest } from '../search/find-request.js';
import type { IndexSearch } from '../search/index-search.js';
import type { Suggestions } from '../search/suggestions.js';
import type { JobSettings } from '../settings/job-settings.js';
import type { SearchOptions } from './options.js';
import { counted } from './report-lines.js';
import { writeOut } from './write-out.js';

/** Words and options of `crawler search` as one request. */
export function findRequest(
  words: readonly string[],
  { type, in: folder, author, since, until, sort }: SearchOptions,
): FindRequest {
  const given = {
    type,
    folder,
    author,
    modified_from: since === undefined ? [] : [since],
    modified_to: until === undefined ? [] : [until],
  };
  const filters = Object.fromEntries(Object.entries(given).filter(([, values]) => values.length > 0));
  return { q: words.join(' '), in: 'all', any: false, filters, sort };
}

/** A filter finds something without any word, and so does counting. */
export function asksWithoutWords({ type, in: folder, author, since, until, facets }: SearchOptions): boolean {
  return facets || [type, folder, author].some(({ length }) => length > 0) || (since ?? until) !== undefined;
}

const OPTION_OF: Readonly<Record<string, string>> = {
  type: '--type',
  folder: '--in',
  author: '--author',
  modified_from: '--since',
  modified_to: '--until',
};

/** What to try where nothing was found. */
export function adviceLines({ words, relaxed }: Suggestions): string {
  const missing = words.filter(({ total }) => total === 0).map(({ word }) => `No document has [${word}].`);
  const others = relaxed.map(({ change, query, total }) => {
    const documents = counted(total, 'document');
    if (change === 'spelling') return `Did you mean [${new URLSearchParams(query).get('q') ?? ''}]? ${documents}.`;
    if (change === 'any') return `With one of the words instead of all (|): ${documents}.`;
    if (change === 'prefix') return `With words that begin so (*): ${documents}.`;
    const filter = change.replace('without:', '');
    return `Without ${OPTION_OF[filter] ?? filter}: ${documents}.`;
  });
  return [...missing, ...others].map((line) => `${printable(line)}\n`).join('');
}

const VALUES = 10;

const TITLES: Readonly<Record<FacetName, string>> = {
  folder: 'Folder',
  type: 'Type',
  modified: 'Changed',
  size: 'Size',
  ext: 'Extension',
  language: 'Language',
  author: 'Author',
  problem: 'Problem',
  tag: 'Tag',
};

/** Counts behind the hits: a block of lines for each facet, or one JSON line `{facets, unavailable}`. */
export async function printFacets(
  search: IndexSearch,
  request: FindRequest,
  { settings, json, signal }: { readonly settings: JobSettings; readonly json: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const folderIndex = settings.fs.indexFolders ? settings.engine.indexFolder : undefined;
  const options = { names: facetNames, size: VALUES, folderIndex, tagFields: settings.rest.facets, nowMs: Date.now() };
  const { facets, unavailable } = await new Facets(search).count(request, options, signal);
  await writeOut(json ? `${JSON.stringify({ facets, unavailable })}\n` : facetLines(facets));
}

function facetLines(facets: FacetAnswer['facets']): string {
  const shown = facetNames.filter((name) => (facets[name]?.length ?? 0) > 0);
  return shown.map((name) => `\n${TITLES[name]}\n${(facets[name] ?? []).map(valueLine).join('')}`).join('');
}

function valueLine({ value, count }: { readonly value: string; readonly count: number }): string {
  return `${String(count).padStart(8)}  ${printable(value)}\n`;
}
