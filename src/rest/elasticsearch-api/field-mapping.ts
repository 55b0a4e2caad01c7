import { isObject } from '../json-text.js';

/** The fields of a mapping `{properties: {…}}`, views (`fields`) and objects among them, by their full names. */
export interface MappedField {
  readonly name: string;
  /** `object` for what only holds others. */
  readonly type: string;
  /** As it stands in the mapping. */
  readonly mapping: Readonly<Record<string, unknown>>;
  /** Stored, but no query reaches it. */
  readonly unsearchable: boolean;
}

export function fieldsOf(mapping: Readonly<Record<string, unknown>>): readonly MappedField[] {
  return isObject(mapping['properties']) ? fieldsIn(mapping['properties'], '') : [];
}

function fieldsIn(members: Readonly<Record<string, unknown>>, above: string): MappedField[] {
  return Object.entries(members).flatMap(([key, mapping]) => {
    if (!isObject(mapping)) return [];
    const name = above === '' ? key : `${above}.${key}`;
    const below = [mapping['properties'], mapping['fields']].filter(isObject);
    return [field(name, mapping), ...below.flatMap((each) => fieldsIn(each, name))];
  });
}

function field(name: string, mapping: Readonly<Record<string, unknown>>): MappedField {
  const type = typeof mapping['type'] === 'string' ? mapping['type'] : 'object';
  const unsearchable = type === 'object' || type === 'binary' || mapping['index'] === false;
  return { name, type, mapping, unsearchable };
}
