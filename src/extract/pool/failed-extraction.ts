import { statSync } from 'node:fs';
import type { Problem } from '../../model/reason.js';
import { typeOfName } from '../detect/name-types.js';
import { UNKNOWN } from '../detect/type-names.js';
import type { Extraction, ExtractionRequest } from '../extraction.js';

/** What can still be said of a document whose process did not survive it: its size, and its type by name. */
export function failedExtraction(request: ExtractionRequest, problem: Problem): Extraction {
  const contentType = typeOfName(request.name)?.type ?? UNKNOWN;
  return {
    text: '',
    truncated: false,
    contentType,
    metadata: { resourceName: [request.name], 'Content-Type': [contentType] },
    language: undefined,
    checksum: undefined,
    source: undefined,
    size: sizeOf(request),
    members: [],
    warnings: [],
    problem,
  };
}

function sizeOf({ content }: ExtractionRequest): number {
  if (content.kind === 'bytes') return content.bytes.length;
  try {
    return statSync(typeof content.path === 'string' ? content.path : Buffer.from(content.path)).size;
  } catch {
    return 0;
  }
}
