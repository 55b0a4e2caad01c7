import { editsOf, FUZZY_QUERY_NAMES, fuzzyOptions } from './fuzziness.js';
import { BodyReader, isObject, isScalar, malformed, unsupported, type Scalar } from './body-reader.js';
import { checkedText } from './query-limits.js';
import { textOf, type QueryNode, type RangeBound } from './query-tree.js';
import { parseZone } from './zone-offset.js';

/** Queries for terms: term, terms, fuzzy, range, prefix, wildcard, exists, ids. */
const SIDES = ['gt', 'gte', 'lt', 'lte'] as const;

export function parseTerm(value: unknown): QueryNode {
  const { field, body } = oneField(value, 'term', 'value');
  refuseIgnoringCase(body);
  const node: QueryNode = { kind: 'terms', field, values: [scalar(body, 'value')], boost: body.number('boost') ?? 1 };
  body.done();
  return node;
}

export function parseTerms(value: unknown): QueryNode {
  const where = 'a [terms] query';
  const body = new BodyReader(value, where);
  const boost = body.number('boost') ?? 1;
  const [field, more] = body.keys.filter((key) => key !== 'boost');
  if (field === undefined || more !== undefined) throw malformed(where, 'one field with a list of values', value);
  const values = body.value(field);
  if (isObject(values)) throw unsupported('terms that are looked up in another document', 'List the values.');
  if (!Array.isArray(values)) throw malformed(`[${field}] in ${where}`, 'a list of values', values);
  return {
    kind: 'terms',
    field,
    boost,
    values: values.map((item: unknown) => {
      if (isScalar(item)) return item;
      throw malformed(`a value of [${field}] in ${where}`, 'a text, a number, true or false', item);
    }),
  };
}

export function parseRange(value: unknown): QueryNode {
  const { key: field, value: options } = new BodyReader(value, 'a [range] query').only();
  const body = new BodyReader(options, 'a [range] query');
  const bounds = SIDES.flatMap((side): RangeBound[] => {
    const bound = body.value(side);
    if (bound === undefined || bound === null) return [];
    if (typeof bound === 'string' || typeof bound === 'number') return [{ side, value: bound }];
    throw malformed(`[${side}] in a [range] query`, 'a number, a text or a date', bound);
  });
  const offsetMs = zoneOf(body);
  const boost = body.number('boost') ?? 1;
  body.done();
  return { kind: 'range', field, bounds, offsetMs, boost, lenient: false };
}

export function parsePrefix(value: unknown): QueryNode {
  const { field, body } = oneField(value, 'prefix', 'value');
  refuseIgnoringCase(body);
  const node: QueryNode = {
    kind: 'prefix',
    fields: [{ name: field, weight: 1 }],
    value: String(scalar(body, 'value')),
    boost: body.number('boost') ?? 1,
  };
  body.done();
  return node;
}

export function parseFuzzy(value: unknown): QueryNode {
  const { field, body } = oneField(value, 'fuzzy', 'value');
  const text = checkedText(String(scalar(body, 'value')), body.where);
  const fuzziness = { edits: editsOf(body.text('fuzziness') ?? 'AUTO'), ...fuzzyOptions(body, FUZZY_QUERY_NAMES) };
  const boost = body.number('boost') ?? 1;
  body.string('rewrite');
  body.done();
  return textOf([{ name: field, weight: 1 }], text, { operator: 'and', fuzziness, boost });
}

export function parseWildcard(value: unknown): QueryNode {
  const { field, body } = oneField(value, 'wildcard', 'value');
  refuseIgnoringCase(body);
  const pattern = body.text('wildcard') ?? String(scalar(body, 'value'));
  const node: QueryNode = {
    kind: 'wildcard',
    fields: [{ name: field, weight: 1 }],
    pattern,
    boost: body.number('boost') ?? 1,
  };
  body.done();
  return node;
}

export function parseExists(value: unknown): QueryNode {
  const body = new BodyReader(value, 'an [exists] query');
  const field = body.string('field');
  if (field === undefined) throw malformed('[field] in an [exists] query', 'the name of a field', undefined);
  const boost = body.number('boost') ?? 1;
  body.done();
  return { kind: 'exists', field, boost };
}

export function parseIds(value: unknown): QueryNode {
  const body = new BodyReader(value, 'an [ids] query');
  const ids = body.list('values').map((id) => {
    if (isScalar(id)) return String(id);
    throw malformed('[values] in an [ids] query', 'a list of ids', id);
  });
  const boost = body.number('boost') ?? 1;
  body.done();
  return { kind: 'ids', ids, boost };
}

/** `time_zone` as an offset in milliseconds. */
export function zoneOf(body: BodyReader): number {
  const zone = body.string('time_zone');
  if (zone === undefined) return 0;
  const offset = parseZone(zone);
  if (offset !== undefined) return offset;
  throw unsupported(`[time_zone: ${zone}] in ${body.where}`, 'Use an offset such as +01:00.');
}

/** Only its default is understood. */
function refuseIgnoringCase(body: BodyReader): void {
  if (body.boolean('case_insensitive')) throw unsupported(`[case_insensitive] in ${body.where}`);
}

function scalar(body: BodyReader, key: string): Scalar {
  const value = body.value(key);
  if (isScalar(value)) return value;
  throw malformed(`[${key}] in ${body.where}`, 'a text, a number, true or false', value);
}

/** `{"field": value}` or `{"field": {"value": value, …}}`. */
function oneField(value: unknown, query: string, key: string): { field: string; body: BodyReader } {
  const { key: field, value: options } = new BodyReader(value, `a [${query}] query`).only();
  return { field, body: new BodyReader(isObject(options) ? options : { [key]: options }, `a [${query}] query`) };
}
