import { SaxesParser } from 'saxes';

/** An answer to ListObjectsV2: what lies in a folder, or the first thousand of it. */
export interface ListPage {
  readonly objects: readonly ListedObject[];
  /** What deeper keys have in common, with the slash at the end. */
  readonly prefixes: readonly string[];
  /** Where the next page begins; undefined after the last one. */
  readonly next: string | undefined;
}

export interface ListedObject {
  readonly key: string;
  readonly size: number;
  readonly modifiedMs: number | undefined;
  readonly etag: string | undefined;
}

/** Throws when the document is not a complete answer. */
export function parseListPage(xml: string): ListPage {
  const { root, values, objects, prefixes } = gather(xml);
  if (root !== 'ListBucketResult') throw new Error(`the answer is a [${root}] and not a listing`);
  const decode = values.get('EncodingType') === 'url' ? urlDecoded : (text: string): string => text;
  const truncated = values.get('IsTruncated') === 'true';
  const next = values.get('NextContinuationToken');
  if (truncated && (next === undefined || next === ''))
    throw new Error('the answer does not say where the listing goes on');
  return {
    objects: objects.map((fields) => toObject(fields, decode)),
    prefixes: prefixes.map((fields) => decode(fields.get('Prefix') ?? '')),
    next: truncated ? next : undefined,
  };
}

/** An error answer; members are empty where it has none. */
export interface S3Problem {
  readonly code: string;
  readonly message: string;
  /** Of the bucket, when the request was signed for another one. */
  readonly region: string;
}

export function parseError(xml: string): S3Problem {
  try {
    const { values } = gather(xml);
    return { code: values.get('Code') ?? '', message: values.get('Message') ?? '', region: values.get('Region') ?? '' };
  } catch {
    return { code: '', message: '', region: '' };
  }
}

type Fields = Map<string, string>;

/** The text of each element, by name: below the root, and below each `Contents` and `CommonPrefixes`. */
function gather(xml: string): { root: string; values: Fields; objects: Fields[]; prefixes: Fields[] } {
  const values: Fields = new Map();
  const objects: Fields[] = [];
  const prefixes: Fields[] = [];
  const open: string[] = [];
  let root = '';
  let text = '';
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    open.push(name);
    text = '';
    if (open.length === 1) root = name;
    if (open.length === 2 && name === 'Contents') objects.push(new Map());
    if (open.length === 2 && name === 'CommonPrefixes') prefixes.push(new Map());
  });
  parser.on('text', (part) => {
    text += part;
  });
  parser.on('closetag', ({ name }) => {
    open.pop();
    if (open.length === 1) values.set(name, text);
    else if (open.length === 2) (open[1] === 'Contents' ? objects : prefixes).at(-1)?.set(name, text);
    text = '';
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  return { root, values, objects, prefixes };
}

function toObject(fields: Fields, decode: (text: string) => string): ListedObject {
  const key = fields.get('Key');
  if (key === undefined) throw new Error('the answer holds an object without a key');
  const modifiedMs = Date.parse(fields.get('LastModified') ?? '');
  return {
    key: decode(key),
    size: Number(fields.get('Size') ?? -1),
    modifiedMs: Number.isNaN(modifiedMs) ? undefined : modifiedMs,
    etag: fields.get('ETag'),
  };
}

/** As forms encode: `+` is a blank. */
function urlDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
