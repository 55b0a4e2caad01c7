import type { OcrOptions } from '../extraction.js';
import { findOcr } from './find-ocr.js';

/** What a person wants to know about the recognition of text on this machine. */
export interface OcrStatus {
  readonly engine: 'tesseract' | 'tesseract.js' | 'none';
  readonly version: string | undefined;
  /** Those of `fs.ocr.language` that can be read. */
  readonly languages: readonly string[];
  /** What is missing and what to do about it; undefined when all is well, and when recognition is switched off. */
  readonly remedy: string | undefined;
}

export async function ocrStatus(options: OcrOptions): Promise<OcrStatus> {
  const { engine, remedy } = options.enabled ? await findOcr(options) : { engine: undefined, remedy: undefined };
  return {
    engine: engine?.name ?? 'none',
    version: engine?.version,
    languages: engine?.languages ?? [],
    remedy,
  };
}
