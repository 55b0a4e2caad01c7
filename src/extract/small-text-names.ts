import { typeOfName } from './detect/name-types.js';
import { findFormat } from './registry.js';

/** Formats that take the text as it is. */
const FORMATS: ReadonlySet<string | undefined> = new Set(['text', 'csv', 'json']);

export function isTextType(mediaType: string): boolean {
  return FORMATS.has(findFormat(mediaType)?.name);
}

/** Whether a file of this name may be plain text. */
export function isTextName(name: string): boolean {
  const named = typeOfName(name);
  return named === undefined || isTextType(named.type);
}
