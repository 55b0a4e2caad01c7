import type { DocColumn, FtsColumn } from '../store/schema.js';

/**
 * The fields that the crawler's documents have by rule, with the types of the mapping that a real engine is given. Whatever
 * is not here is dynamic: its type is the one of its first value (field-registry.ts).
 *
 * `column` keeps the (first) value in doc_N; without one it is a row of kv_N. `fullText` gives the text a column of fts_N;
 * a text field without one is searched through `scoped`.
 */
export type FieldType = 'keyword' | 'text' | 'long' | 'byte' | 'float' | 'date' | 'boolean' | 'binary';

export interface KnownField {
  readonly type: FieldType;
  readonly column?: DocColumn;
  readonly fullText?: FtsColumn;
  /** Paths have two more views: `.tree` (the folder and all above it) and `.fulltext`. */
  readonly path?: true;
  /** Stored, but no query reaches it. */
  readonly unsearchable?: true;
}

const META_TEXTS = [
  'format',
  'identifier',
  'contributor',
  'coverage',
  'modifier',
  'publisher',
  'relation',
  'rights',
  'source',
  'type',
  'description',
  'latitude',
  'longitude',
  'altitude',
  'comments',
];

export const KNOWN_FIELDS: ReadonlyMap<string, KnownField> = new Map<string, KnownField>([
  ['content', { type: 'text', fullText: 'content' }],
  ['attachment', { type: 'binary', unsearchable: true }],
  ['file.checksum', { type: 'keyword', column: 'checksum' }],
  ['file.content_type', { type: 'keyword', column: 'content_type' }],
  ['file.extension', { type: 'keyword', column: 'extension' }],
  ['file.filename', { type: 'keyword', column: 'filename', fullText: 'filename' }],
  ['file.filesize', { type: 'long', column: 'filesize' }],
  ['file.indexed_chars', { type: 'long', column: 'indexed_chars' }],
  ['file.indexing_date', { type: 'date', column: 'indexing_date' }],
  ['file.created', { type: 'date', column: 'created' }],
  ['file.last_modified', { type: 'date', column: 'last_modified' }],
  ['file.last_accessed', { type: 'date', column: 'last_accessed' }],
  ['file.url', { type: 'keyword', unsearchable: true }],
  ['path.root', { type: 'keyword', column: 'root' }],
  ['path.real', { type: 'keyword', column: 'real_path', fullText: 'real_path', path: true }],
  ['path.virtual', { type: 'keyword', column: 'virtual_path', fullText: 'virtual_path', path: true }],
  ['attributes.owner', { type: 'keyword' }],
  ['attributes.group', { type: 'keyword' }],
  ['attributes.acl.principal', { type: 'keyword' }],
  ['attributes.acl.type', { type: 'keyword' }],
  ['attributes.acl.permissions', { type: 'keyword' }],
  ['attributes.acl.flags', { type: 'keyword' }],
  ['meta.author', { type: 'text', fullText: 'author' }],
  ['meta.title', { type: 'text', fullText: 'title' }],
  ['meta.keywords', { type: 'text', fullText: 'keywords' }],
  ['meta.date', { type: 'date' }],
  ['meta.created', { type: 'date' }],
  ['meta.print_date', { type: 'date' }],
  ['meta.metadata_date', { type: 'date' }],
  ['meta.creator_tool', { type: 'keyword' }],
  ['meta.language', { type: 'keyword' }],
  ['meta.rating', { type: 'byte' }],
  ...META_TEXTS.map((name): [string, KnownField] => [`meta.${name}`, { type: 'text' }]),
]);

/** Names that hold fields: a plain value in their place is a fault of the document. */
export const KNOWN_OBJECTS: ReadonlySet<string> = new Set([
  'file',
  'path',
  'meta',
  'meta.raw',
  'attributes',
  'attributes.acl',
]);

const RAW_METADATA: KnownField = { type: 'text' };
/** Where pages begin: read with a hit, never asked for. */
const PAGES: KnownField = { type: 'long', unsearchable: true };

/** The rule for a name: its own, or that of `meta.raw.*` (always text, however much a value looks like a date). */
export function knownField(name: string): KnownField | undefined {
  if (name === 'pages') return PAGES;
  return KNOWN_FIELDS.get(name) ?? (name.startsWith('meta.raw.') ? RAW_METADATA : undefined);
}

/** Elasticsearch's own limit for the exact view of a text field; longer values are found by their words only. */
export const EXACT_TEXT_LIMIT = 256;

/** A keyword longer than this is no key; Elasticsearch refuses it at 32,766 bytes. */
export const KEYWORD_LIMIT = 8191;
