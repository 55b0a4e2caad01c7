import { statSync } from 'node:fs';
import { toFsPath } from '../../../base/path.js';
import type { Problem } from '../../../model/reason.js';
import { typeOfName } from '../../detect/name-types.js';
import { UNKNOWN } from '../../detect/type-names.js';
import type { Extraction, ExtractionRequest } from '../../extraction.js';
import type { PartialResult } from '../channel/check-extraction.js';

const NOTHING: PartialResult = { text: '', pages: [], members: [], warnings: [], contentType: undefined, metadata: {} };

/** The extraction of a document whose process ended before it was finished: size, type by name, and the partial result. */
export function failedExtraction(request: ExtractionRequest, problem: Problem, partialResult = NOTHING): Extraction {
  const contentType = partialResult.contentType ?? typeOfName(request.name)?.type ?? UNKNOWN;
  return {
    ...partialResult,
    truncated: false,
    contentType,
    metadata: { ...partialResult.metadata, resourceName: [request.name], 'Content-Type': [contentType] },
    language: undefined,
    checksum: undefined,
    source: undefined,
    size: sizeOf(request),
    problem,
  };
}

function sizeOf({ content }: ExtractionRequest): number {
  if (content.kind === 'bytes') return content.bytes.length;
  try {
    return statSync(toFsPath(content.path)).size;
  } catch {
    return 0;
  }
}
