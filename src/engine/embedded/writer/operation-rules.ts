/** Elasticsearch's rules for names of indices and ids, so that a job that works here works there. */
const MAX_INDEX_BYTES = 255;
const MAX_ID_BYTES = 512;

/** What is wrong with the name of an index, as a sentence; undefined when nothing is. */
export function indexNameFault(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') return `[${name}] is no name for an index.`;
  if (name !== name.toLowerCase()) return `The index name [${name}] must be in lower case.`;
  if (/^[-_+]/.test(name)) return `The index name [${name}] must not begin with - _ or +.`;
  const forbidden = /[\\/*?"<>|\s,#:\0]/.exec(name)?.[0];
  if (forbidden !== undefined) return `The index name [${name}] must not contain [${forbidden}].`;
  if (Buffer.byteLength(name) > MAX_INDEX_BYTES)
    return `The index name [${name}] is longer than ${MAX_INDEX_BYTES} bytes.`;
  return undefined;
}

export function idFault(id: string): string | undefined {
  if (id === '') return 'A document id must not be empty.';
  const bytes = Buffer.byteLength(id);
  if (bytes > MAX_ID_BYTES)
    return `The document id [${id.slice(0, 60)}…] has ${bytes} bytes; ${MAX_ID_BYTES} is the limit.`;
  return undefined;
}
