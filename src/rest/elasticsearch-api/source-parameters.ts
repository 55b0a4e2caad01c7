import type { UrlParameters } from './url-parameters.js';

export const SOURCE_PARAMETERS = ['_source', '_source_includes', '_source_excludes'];

/** Which members of stored documents are shown, as the member `_source` of a body would say it. */
export function sourceOf(
  parameters: UrlParameters,
): false | { includes: readonly string[]; excludes: readonly string[] } {
  const source = parameters.text('_source');
  if (source === 'false') return false;
  const plain = source === undefined || source === 'true' || source === '';
  return {
    includes: [...(plain ? [] : (parameters.list('_source') ?? [])), ...(parameters.list('_source_includes') ?? [])],
    excludes: parameters.list('_source_excludes') ?? [],
  };
}
