import type { ExtractionContent, ExtractionOptions, ExtractionRequest } from '../../src/extract/extraction.js';

export const plainOptions: ExtractionOptions = {
  maxCharacters: -1,
  detectLanguage: false,
  checksum: undefined,
  includeSource: false,
  passwords: [],
  ocr: {
    enabled: false,
    language: 'eng',
    path: undefined,
    dataPath: undefined,
    outputType: 'txt',
    pdfStrategy: 'no_ocr',
    pageSegMode: 1,
    preserveInterwordSpacing: false,
    pageTimeoutMs: 60_000,
    documentTimeoutMs: 1_800_000,
  },
};

/** A request for bytes (or text, as UTF-8) or for a path. */
export function requestFor(
  name: string,
  content: string | Uint8Array | { readonly path: string | Uint8Array } = '',
  options: Partial<ExtractionOptions> = {},
): ExtractionRequest {
  return { name, content: toContent(content), options: { ...plainOptions, ...options } };
}

function toContent(content: string | Uint8Array | { readonly path: string | Uint8Array }): ExtractionContent {
  if (typeof content === 'string') return { kind: 'bytes', bytes: Buffer.from(content, 'utf8') };
  return content instanceof Uint8Array ? { kind: 'bytes', bytes: content } : { kind: 'path', path: content.path };
}
