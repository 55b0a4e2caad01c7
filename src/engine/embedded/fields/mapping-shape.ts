import type { IndexFields } from './index-fields.js';
import { EXACT_TEXT_LIMIT, KNOWN_FIELDS, type KnownField } from './known-fields.js';

/** The mapping of an index as Elasticsearch's `_mapping` shows it: `{properties: {…}}`. */
type Properties = Record<string, PropertyMapping>;

interface PropertyMapping {
  type?: string;
  properties?: Properties;
  [option: string]: unknown;
}

export function mappingShape(fields: IndexFields): { properties: Properties } {
  const root: { properties: Properties } = { properties: {} };
  for (const [name, known] of KNOWN_FIELDS) place(root, name, knownMapping(known));
  for (const [name, type] of fields.dynamicTypes()) place(root, name, dynamicMapping(type));
  return root;
}

function knownMapping({ type, path, unsearchable }: KnownField): PropertyMapping {
  if (type === 'binary') return { type, doc_values: false };
  if (type === 'date') return { type, format: 'date_optional_time' };
  if (unsearchable) return { type, index: false };
  if (path === undefined) return { type };
  return {
    type,
    fields: { tree: { type: 'text', analyzer: 'fscrawler_path', fielddata: true }, fulltext: { type: 'text' } },
  };
}

function dynamicMapping(type: string): PropertyMapping {
  if (type !== 'text') return { type };
  return { type, fields: { keyword: { type: 'keyword', ignore_above: EXACT_TEXT_LIMIT } } };
}

function place(root: { properties: Properties }, name: string, mapping: PropertyMapping): void {
  const parts = name.split('.');
  const last = parts.pop() ?? name;
  let properties = root.properties;
  for (const part of parts) {
    const parent = own(properties, part) ?? define(properties, part, {});
    properties = parent.properties ??= {};
  }
  define(properties, last, { ...own(properties, last), ...mapping });
}

function own(properties: Properties, name: string): PropertyMapping | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** Names come from documents: `__proto__` is a name like any other. */
function define(properties: Properties, name: string, mapping: PropertyMapping): PropertyMapping {
  Object.defineProperty(properties, name, { value: mapping, enumerable: true, configurable: true, writable: true });
  return mapping;
}
