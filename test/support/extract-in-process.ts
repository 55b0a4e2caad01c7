import type { Extraction, ExtractionOptions } from '../../src/extract/extraction.js';
import { defaultLimits, type DocumentLimits } from '../../src/extract/limits.js';
import { findFormat } from '../../src/extract/registry.js';
import { extractDocument } from '../../src/extract/runtime/sandbox/extract-document.js';
import { requestFor } from './extraction-request.js';

/** What the sandbox does with one document, with all formats of the program, but without a process around it. */
export function extractInProcess(
  name: string,
  content: string | Uint8Array | { readonly path: string | Uint8Array },
  options: Partial<ExtractionOptions> = {},
  limits: Partial<DocumentLimits> = {},
): Promise<Extraction> {
  return extractDocument(requestFor(name, content, options), {
    // The memory of this process is that of all tests before.
    limits: { ...defaultLimits.document, memoryBytes: Number.POSITIVE_INFINITY, ...limits },
    findFormat,
    flush: () => undefined,
  });
}
