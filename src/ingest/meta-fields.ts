import type { Metadata } from '../extract/index.js';

/**
 * Tika's metadata keys to the fields of `meta`, in one table. The first key with a value wins, and of its values the
 * first one. The printed form is docs/documents.md.
 */
export type MetaFieldType = 'text' | 'date' | 'integer' | 'keywords';

export interface MetaField {
  readonly field: string;
  readonly keys: readonly string[];
  readonly type: MetaFieldType;
}

function text(field: string, key: string): MetaField {
  return { field, keys: [key], type: 'text' };
}

export const metaFields: readonly MetaField[] = [
  text('author', 'dc:creator'),
  text('title', 'dc:title'),
  { field: 'date', keys: ['dcterms:modified'], type: 'date' },
  { field: 'keywords', keys: ['meta:keyword', 'pdf:docinfo:keywords'], type: 'keywords' },
  text('format', 'dc:format'),
  text('identifier', 'dc:identifier'),
  text('contributor', 'dc:contributor'),
  text('coverage', 'dc:coverage'),
  text('modifier', 'meta:last-author'),
  text('creator_tool', 'xmp:CreatorTool'),
  text('language', 'dc:language'),
  text('publisher', 'dc:publisher'),
  text('relation', 'dc:relation'),
  text('rights', 'dc:rights'),
  text('source', 'dc:source'),
  text('type', 'dc:type'),
  text('description', 'dc:description'),
  { field: 'created', keys: ['dcterms:created'], type: 'date' },
  { field: 'print_date', keys: ['meta:print-date'], type: 'date' },
  { field: 'metadata_date', keys: ['xmp:MetadataDate'], type: 'date' },
  text('latitude', 'geo:lat'),
  text('longitude', 'geo:long'),
  text('altitude', 'geo:alt'),
  { field: 'rating', keys: ['xmp:Rating'], type: 'integer' },
  text('comments', 'w:Comments'),
];

export interface MappedMeta {
  readonly meta: Readonly<Record<string, unknown>>;
  /** Values that do not fit their field's type, for the log: `[v] for [key]`. */
  readonly unparsable: readonly { readonly key: string; readonly value: string }[];
}

export function mapMetadata(metadata: Metadata, raw: boolean): MappedMeta {
  const meta: Record<string, unknown> = {};
  const unparsable: { key: string; value: string }[] = [];
  for (const { field, keys, type } of metaFields) {
    const key = keys.find((each) => metadata[each]?.[0] !== undefined && metadata[each][0] !== '');
    const value = key === undefined ? undefined : metadata[key]?.[0];
    if (key === undefined || value === undefined) continue;
    const parsed = parseValue(value, type);
    if (parsed === undefined) unparsable.push({ key, value });
    else if (!Array.isArray(parsed) || parsed.length > 0) meta[field] = parsed;
  }
  if (raw) meta['raw'] = rawMetadata(metadata);
  return { meta, unparsable };
}

function parseValue(value: string, type: MetaFieldType): unknown {
  if (type === 'text') return value;
  if (type === 'keywords') return keywordsIn(value);
  if (type === 'integer') return /^-?\d+$/.test(value.trim()) ? Number(value) : undefined;
  return parseDate(value);
}

/** `budget, 2025` are two words, without the blank between them. */
function keywordsIn(value: string): readonly string[] {
  return value
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** ISO forms as extractors give them; without a zone they mean UTC, as the formats' own dates do. */
function parseDate(value: string): string | undefined {
  const match =
    /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?)?)?$/.exec(
      value.trim(),
    );
  if (match === null) return undefined;
  const [, year = '', month = '01', day = '01', time = '00:00:00', zone = 'Z'] = match;
  const date = new Date(`${year}-${month}-${day}T${time}${zone}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Every key with its first value; dots in key names would be read as object paths by engines. */
function rawMetadata(metadata: Metadata): Record<string, string> {
  const raw: Record<string, string> = {};
  for (const key of Object.keys(metadata).sort()) {
    const value = metadata[key]?.[0];
    if (value !== undefined && value !== '') raw[key.replaceAll('.', ':')] = value;
  }
  return raw;
}
