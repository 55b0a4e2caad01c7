import { CrawlerError } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';
import type { FieldNode, QueryNode } from './query-node.js';
import { isShortName, shortNameQuery, shortNames, type EngineType } from './short-names.js';

export interface QueryContext {
  /** Where words are looked for, with weights. */
  readonly fields: readonly string[];
  readonly engine: EngineType;
  /** Names of the fields that the index has; only asked for names that are not short. */
  readonly indexFields: readonly string[];
  readonly otherwise: 'and' | 'or';
}

/** The query as both engines take it. Throws `corrupt` with a sentence for a field that does not exist. */
export function compileQuery(node: QueryNode, context: QueryContext): object {
  switch (node.kind) {
    case 'everything':
      return { match_all: {} };
    case 'words':
      return {
        simple_query_string: {
          query: node.text,
          fields: context.fields,
          default_operator: context.otherwise,
          lenient: true,
        },
      };
    case 'pattern':
      return { query_string: { query: quoted(node.text), fields: context.fields, lenient: true } };
    case 'field':
      return fieldQuery(node, context);
    case 'not':
      return { bool: { must: [{ match_all: {} }], must_not: [compileQuery(node.node, context)] } };
    case 'or':
      return { bool: { should: node.nodes.map((each) => compileQuery(each, context)), minimum_should_match: 1 } };
    case 'and':
      return conjunction(node.nodes, context);
  }
}

/** What decides only whether a document is found does not count for its relevance. */
function conjunction(nodes: readonly QueryNode[], context: QueryContext): object {
  const must: object[] = [];
  const filter: object[] = [];
  const mustNot: object[] = [];
  for (const node of nodes) {
    if (node.kind === 'not') mustNot.push(compileQuery(node.node, context));
    else if (node.kind === 'field' && isShortName(node.name)) filter.push(compileQuery(node, context));
    else must.push(compileQuery(node, context));
  }
  if (must.length === 0) must.push({ match_all: {} });
  return {
    bool: {
      must,
      ...(filter.length === 0 ? {} : { filter }),
      ...(mustNot.length === 0 ? {} : { must_not: mustNot }),
    },
  };
}

function fieldQuery(node: FieldNode, context: QueryContext): object {
  const { name, value } = node;
  if (isShortName(name)) return { constant_score: { filter: shortNameQuery(name, node, context.engine) } };
  if (name === '_exists_') {
    const field = 'text' in value ? value.text : value.source;
    return { exists: { field: requireField(field, context) } };
  }
  const field = requireField(name, context);
  const source = value.kind === 'word' ? quoted(value.source) : value.source;
  return { query_string: { query: `${field}:${source}`, default_operator: 'AND', lenient: true } };
}

/** Signs that the query string syntax has for itself are part of a word here. */
function quoted(word: string): string {
  return word.replace(/\\.|[:/^{}[\]!&<>=]/gsu, (sign) => (sign.startsWith('\\') ? sign : `\\${sign}`));
}

function requireField(name: string, { indexFields }: QueryContext): string {
  if (indexFields.includes(name) || (name.includes('*') && name.includes('.'))) return name;
  const meant = nearest(name, [...shortNames, ...indexFields]);
  const advice =
    meant === undefined
      ? `Short names are ${shortNames.map((each) => `${each}:`).join(' ')}; every field of the documents can be named in full.`
      : `Did you mean [${meant}:]?`;
  const text = `To search for the text itself, write it in quotation marks: "${name}:…".`;
  throw new CrawlerError('corrupt', `There is no field [${name}:]. ${advice} ${text}`);
}
