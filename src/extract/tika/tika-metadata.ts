import type { Metadata } from '../extraction.js';
import { MetadataBuilder } from '../metadata-builder.js';

/**
 * Metadata of a server's answer. Tika 3 writes its own keys as `X-TIKA:…`, Tika 4 as `tk:…`; here they are always `tk:…`.
 */
export interface TikaMetadata {
  /** Everything that says something about the document. */
  readonly metadata: Metadata;
  readonly content: string;
  /** `tk:EXCEPTION:…`: why something is missing. */
  readonly exceptions: ReadonlyMap<string, readonly string[]>;
}

const OLD_PREFIX = /^X-TIKA:/i;
const EXCEPTION = 'tk:EXCEPTION:';
const CONTENT = 'tk:content';
/** About the work of the server, not about the document; times change with every run. */
const NOT_METADATA: ReadonlySet<string> = new Set(['tk:content_handler', 'tk:parse_time_millis']);

export function readMetadata(entry: Readonly<Record<string, unknown>>): TikaMetadata {
  const metadata = new MetadataBuilder();
  const exceptions = new Map<string, readonly string[]>();
  let content = '';
  for (const [name, value] of Object.entries(entry)) {
    const key = name.replace(OLD_PREFIX, 'tk:');
    const values = textsOf(value);
    if (key === CONTENT) content = values.join('');
    else if (key.startsWith(EXCEPTION)) exceptions.set(key.slice(EXCEPTION.length), values);
    else if (!NOT_METADATA.has(key)) for (const text of values) metadata.add(key, text);
  }
  return { metadata: metadata.build(), content, exceptions };
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
