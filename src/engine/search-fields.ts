import type { JobSettings } from '../settings/job-settings.js';

/**
 * The fields in which the words of a person are looked for, with their weights, for either engine. Documents of json and xml
 * jobs that are kept as they are have fields of any names, so every field is searched there.
 */
const FIELDS = [
  'file.filename^5',
  'meta.title^3',
  'meta.keywords^2',
  'meta.author',
  'content',
  'path.virtual.fulltext^0.5',
  'external.*^0.5',
  'object.*^0.5',
];
const EVERY_FIELD = '*^0.5';

export function searchFields(documents: 'text' | 'raw'): readonly string[] {
  return documents === 'raw' ? [...FIELDS, EVERY_FIELD] : FIELDS;
}

export function searchFieldsOf({ fs }: JobSettings): readonly string[] {
  return searchFields((fs.jsonSupport || fs.xmlSupport) && !fs.addAsInnerObject ? 'raw' : 'text');
}
