import { parseJson } from './json-text.js';
import { badRequest } from './request-fault.js';

/** The JSON to merge over the document. Text is parsed; what is no object changes nothing, so says the merge. */
export async function parseTagsParameter(value: unknown): Promise<unknown> {
  if (typeof value !== 'string') return value ?? undefined;
  if (value.trim() === '') return undefined;
  const parsed = await parseJson(value);
  if (!parsed.ok) throw badRequest(`Error parsing tags: the text ${parsed.why}.`);
  return parsed.value ?? undefined;
}
