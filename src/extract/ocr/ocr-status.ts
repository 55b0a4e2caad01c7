import type { OcrOptions } from '../extraction.js';
import { findOcr } from './find-ocr.js';
import type { IsolatedPrograms } from './program-launcher.js';

/** The OCR engine of this machine, for logs and `doctor`. */
export interface OcrStatus {
  readonly engine: 'tesseract' | 'tesseract.js' | 'none';
  readonly version: string | undefined;
  /** The languages of `fs.ocr.language` that can be recognised. */
  readonly languages: readonly string[];
  /** What is missing and how to install it; undefined when nothing is missing or OCR is switched off. */
  readonly remedy: string | undefined;
}

export async function ocrStatus(options: OcrOptions, isolation?: IsolatedPrograms): Promise<OcrStatus> {
  const { engine, remedy } = options.enabled
    ? await findOcr(options, isolation)
    : { engine: undefined, remedy: undefined };
  return {
    engine: engine?.name ?? 'none',
    version: engine?.version,
    languages: engine?.languages ?? [],
    remedy,
  };
}
