/** Elasticsearch's rules for ids, so that a job that works here works there. */
const MAX_ID_BYTES = 512;

export function idFault(id: string): string | undefined {
  if (id === '') return 'A document id must not be empty.';
  const bytes = Buffer.byteLength(id);
  if (bytes > MAX_ID_BYTES)
    return `The document id [${id.slice(0, 60)}…] has ${bytes} bytes; ${MAX_ID_BYTES} is the limit.`;
  return undefined;
}
