import type { SqlValue } from '../../../base/sqlite.js';

/**
 * SQL text with its parameters in the order of its question marks. Conditions are composed from fragments, so that a value
 * of a request can only ever become a bound parameter, and statements of the same shape have the same text (and are
 * prepared once).
 */
export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** Template tag: fragments are spliced in, every other value is bound. */
export function sql(parts: TemplateStringsArray, ...inserts: readonly (Sql | SqlValue)[]): Sql {
  let text = parts[0] ?? '';
  const values: SqlValue[] = [];
  inserts.forEach((insert, at) => {
    if (isSql(insert)) {
      text += insert.text;
      values.push(...insert.values);
    } else {
      text += '?';
      values.push(insert);
    }
    text += parts[at + 1] ?? '';
  });
  return { text, values };
}

/** A name of our own (table, column, keyword). Never for anything that comes from outside. */
export function raw(text: string): Sql {
  return { text, values: [] };
}

export function join(fragments: readonly Sql[], separator: string): Sql {
  return { text: fragments.map(({ text }) => text).join(separator), values: fragments.flatMap(({ values }) => values) };
}

export const TRUE: Sql = raw('TRUE');
export const FALSE: Sql = raw('FALSE');

/** TRUE without conditions. */
export function allOf(conditions: readonly Sql[]): Sql {
  const open = conditions.filter((each) => !isTrue(each));
  return open.length === 0 ? TRUE : chain(open, ' AND ');
}

/** FALSE without conditions. */
export function anyOf(conditions: readonly Sql[]): Sql {
  if (conditions.some(isTrue)) return TRUE;
  return conditions.length === 0 ? FALSE : chain(conditions, ' OR ');
}

export function isTrue({ text }: Sql): boolean {
  return text === TRUE.text;
}

export function sumOf(numbers: readonly Sql[]): Sql {
  return numbers.length === 0 ? raw('0') : chain(numbers, ' + ');
}

/** SQLite reads a long chain as a deep tree and stops at 1,000 levels, so links are put into groups, and groups into groups. */
function chain(links: readonly Sql[], operator: string): Sql {
  if (links.length <= LINKS) return sql`(${join(links, operator)})`;
  const groups: Sql[] = [];
  for (let at = 0; at < links.length; at += LINKS) groups.push(chain(links.slice(at, at + LINKS), operator));
  return chain(groups, operator);
}

const LINKS = 50;

function isSql(value: Sql | SqlValue): value is Sql {
  return typeof value === 'object' && value !== null && 'text' in value;
}
