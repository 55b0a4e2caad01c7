import { editsBetween } from '../base/nearest.js';
import { type OldKey, oldKeys } from './old-keys.js';
import { type SectionRow, sectionRows, type SettingRow, settingRows } from './setting-table.js';

/**
 * What a key means. Keys match in any case and as snake_case, camelCase or kebab-case; `elasticsearch` is another name of
 * `engine`, and every key that a release of FSCrawler has known is found too.
 */
export type Found =
  /** `aliased`: it was called `elasticsearch.…`. */
  | { readonly kind: 'setting'; readonly row: SettingRow; readonly aliased: boolean }
  | { readonly kind: 'section'; readonly row: SectionRow; readonly aliased: boolean }
  | { readonly kind: 'old'; readonly old: OldKey; readonly path: string }
  | { readonly kind: 'unknown'; readonly nearest: string | undefined };

const settingsByKey = new Map(settingRows.map((row) => [normalized(row.path.split('.')), row]));
const sectionsByKey = new Map(sectionRows.map((row) => [normalized(row.path.split('.')), row]));
const oldByKey = new Map(
  oldKeys.flatMap((old) => old.paths.map((path) => [normalized(path.split('.')), { old, path }] as const)),
);
const settingsByVariable = new Map([...settingsByKey].map(([key, row]) => [key.replaceAll('.', ''), row]));
const oldByVariable = new Map([...oldByKey].map(([key, old]) => [key.replaceAll('.', ''), old]));

/** What the key with these parts means: `['elasticsearch', 'bulkSize']`. */
export function findKey(parts: readonly string[]): Found {
  const key = normalized(parts);
  const row = settingsByKey.get(key);
  const aliased = isAliased(parts);
  if (row !== undefined) return { kind: 'setting', row, aliased };
  const section = sectionsByKey.get(key);
  if (section !== undefined) return { kind: 'section', row: section, aliased };
  const old = oldByKey.get(key) ?? oldSectionAround(parts);
  if (old !== undefined) return { kind: 'old', ...old };
  return { kind: 'unknown', nearest: nearestPath(key) };
}

/** What the variable means whose name is this behind its prefix: `FS_UPDATE_RATE`, `TAGS_METAFILENAME`. */
export function findVariable(name: string): Found {
  const word = name.toLowerCase().replace(/[-_.]/g, '');
  const aliased = word.startsWith('elasticsearch');
  const key = word.replace(/^elasticsearch/, 'engine');
  const row = settingsByVariable.get(key);
  if (row !== undefined) return { kind: 'setting', row, aliased };
  const old = oldByVariable.get(key);
  if (old !== undefined) return { kind: 'old', ...old };
  const dotted = name.toLowerCase().replace('_', '.').replace(/_/g, '');
  return { kind: 'unknown', nearest: nearestPath(dotted.replace(/^elasticsearch\./, 'engine.')) };
}

function normalized(parts: readonly string[]): string {
  const words = parts.map((part) => part.toLowerCase().replace(/[-_]/g, ''));
  if (words[0] === 'elasticsearch') words[0] = 'engine';
  return words.join('.');
}

function isAliased(parts: readonly string[]): boolean {
  return parts[0]?.toLowerCase() === 'elasticsearch';
}

function oldSectionAround(parts: readonly string[]): { old: OldKey; path: string } | undefined {
  const found = oldByKey.get(normalized(parts.slice(0, 1)));
  return found?.old.wholeSection === true ? { old: found.old, path: found.path } : undefined;
}

/**
 * The valid key that is nearest to an unknown one, if any is near enough to be what was meant. A setting of that name in
 * another section is near: it only stands in the wrong place.
 */
function nearestPath(key: string): string | undefined {
  const lastPart = key.slice(key.lastIndexOf('.') + 1);
  let nearest: string | undefined;
  let least = key.length < 5 ? 2 : Math.max(2, Math.floor(key.length * 0.4)) + 1;
  for (const [candidate, row] of [...settingsByKey, ...sectionsByKey]) {
    const isMisplaced = candidate.endsWith(`.${lastPart}`);
    const distance = Math.min(editsBetween(key, candidate), isMisplaced ? 1.5 : Infinity);
    if (distance < least) {
      least = distance;
      nearest = row.path;
    }
  }
  return nearest;
}
