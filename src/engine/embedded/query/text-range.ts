import { allOf, anyOf, sql, TRUE, type Sql } from '../store/sql.js';

/** Conditions on texts that an index of SQLite can answer: it compares bytes of UTF-8, which is the order of code points. */
export function startsWith(value: Sql, prefix: string): Sql {
  if (prefix === '') return TRUE;
  const end = successor(prefix);
  return end === undefined ? sql`${value} >= ${prefix}` : allOf([sql`${value} >= ${prefix}`, sql`${value} < ${end}`]);
}

/** The folder itself or anything below it, whichever separator the paths have. */
export function withinFolder(value: Sql, folder: string): Sql {
  const bare = folder.replace(/[/\\]+$/, '');
  const spellings = ['/', '\\'].map((separator) => {
    const path = bare.replace(/[/\\]/g, separator);
    return anyOf([sql`${value} = ${path}`, startsWith(value, path + separator)]);
  });
  return anyOf(spellings);
}

/** `/a/b/c` → `/a`, `/a/b`, `/a/b/c`: what Elasticsearch's path_hierarchy makes of a path. */
export function hierarchy(path: string): string[] {
  const parts = path.replaceAll('\\', '/').split('/');
  const levels = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
  return levels.filter((level) => level !== '');
}

/**
 * `*` is any run of characters, `?` one, `\` takes the next as it is. GLOB has the same signs but for `\`; its own `[` is
 * put into brackets.
 */
export function matchesWildcard(value: Sql, pattern: string): Sql {
  const literal = /^(?:[^*?\\]|\\.)*/su.exec(pattern)?.[0] ?? '';
  const prefix = literal.replace(/\\(.)/gsu, '$1');
  if (literal.length === pattern.length) return sql`${value} = ${prefix}`;
  const glob = pattern.replace(/\\(.)|\[/gsu, (_, escaped: string | undefined) => `[${escaped ?? '['}]`);
  return allOf([startsWith(value, prefix), sql`${value} GLOB ${glob}`]);
}

/** The first text behind all that begin with this one. */
function successor(text: string): string | undefined {
  const points = Array.from(text);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const next = (last.codePointAt(0) ?? 0) + 1;
    if (next <= 0x10ffff) return points.join('') + String.fromCodePoint(next === 0xd800 ? 0xe000 : next);
  }
  return undefined;
}
