import { statSync } from 'node:fs';
import { toFsPath } from '../../../base/path.js';
import type { Problem } from '../../../model/reason.js';
import { typeOfName } from '../../detect/name-types.js';
import { UNKNOWN } from '../../detect/type-names.js';
import type { Extraction, ExtractionRequest } from '../../extraction.js';
import type { PartialResult } from '../channel/check-extraction.js';

const NOTHING: PartialResult = { text: '', pages: [], members: [], warnings: [], contentType: undefined, metadata: {} };

/** What can still be said of a document whose process did not survive it: size, type by name, and what it had given. */
export function failedExtraction(request: ExtractionRequest, problem: Problem, salvage = NOTHING): Extraction {
  const contentType = salvage.contentType ?? typeOfName(request.name)?.type ?? UNKNOWN;
  return {
    ...salvage,
    truncated: false,
    contentType,
    metadata: { ...salvage.metadata, resourceName: [request.name], 'Content-Type': [contentType] },
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
