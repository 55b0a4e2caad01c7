import type { OcrOptions } from '../../src/extract/extraction.js';
import type { EmbeddedPart, FormatContext, FormatExtractor } from '../../src/extract/format.js';

/** Runs one format on bytes without the sandbox around it, and returns everything it handed over. */
export interface FormatResult {
  text: string;
  metadata: Record<string, string[]>;
  contentType: string | undefined;
  parts: EmbeddedPart[];
  continuedAs: { bytes: Uint8Array; mediaType: string | undefined }[];
  warnings: string[];
  /** Where pages begin in the text. */
  pages: number[];
  bytesCounted: number;
}

export interface FormatRunOptions {
  passwords?: string[];
  maxCharacters?: number;
  /** Throws from countBytes beyond this, as the sandbox does. */
  maxBytes?: number;
  /** Recognition is on, with this strategy: every picture is rendered, and its text is empty. */
  pdfStrategy?: OcrOptions['pdfStrategy'];
}

const ocrOff: OcrOptions = {
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
};

export async function runFormat(
  extractor: FormatExtractor,
  input: { name: string; mediaType: string; bytes: Uint8Array },
  options: FormatRunOptions = {},
): Promise<FormatResult> {
  const limit = options.maxCharacters ?? Number.POSITIVE_INFINITY;
  const result: FormatResult = {
    text: '',
    metadata: {},
    contentType: undefined,
    parts: [],
    continuedAs: [],
    warnings: [],
    pages: [],
    bytesCounted: 0,
  };
  const context: FormatContext = {
    write: (text) => {
      result.text = (result.text + text).slice(0, Number.isFinite(limit) ? limit : undefined);
    },
    page: () => {
      result.pages.push(result.text.length);
    },
    get full() {
      return result.text.length >= limit;
    },
    meta: (key, value) => {
      const text = value instanceof Date ? value.toISOString().replace(/\.\d+Z$/, 'Z') : String(value ?? '');
      if (text !== '') (result.metadata[key] ??= []).push(text);
    },
    setMeta: (key, value) => {
      result.metadata[key] = [value];
    },
    contentType: (type) => {
      result.contentType = type;
    },
    embedded: (part) => {
      result.parts.push(part);
      return Promise.resolve();
    },
    continueAs: (bytes, mediaType) => {
      result.continuedAs.push({ bytes, mediaType });
      return Promise.resolve();
    },
    passwords: options.passwords ?? [],
    warn: (message) => result.warnings.push(message),
    countBytes: (bytes) => {
      result.bytesCounted += bytes;
      if (result.bytesCounted > (options.maxBytes ?? 512 * 1024 * 1024)) throw new Error('too_large');
    },
    options: { ocr: { ...ocrOff, pdfStrategy: options.pdfStrategy ?? 'no_ocr' } },
    ocr: {
      atOnce: 2,
      ready: () => Promise.resolve(options.pdfStrategy !== undefined),
      recognise: (picture) => Promise.resolve().then(() => (picture.render() === undefined ? undefined : '')),
    },
  };
  await extractor.extract(input, context);
  return result;
}
