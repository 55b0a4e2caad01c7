import type { OcrOptions } from '../extraction.js';
import type { RenderedPicture } from '../format.js';

/** Recognises the text of one picture. Runs in its own process, so that it can be stopped at any time. */
export interface OcrEngine {
  /** Reported as `tk:Parsed-By`. */
  readonly name: 'tesseract' | 'tesseract.js';
  readonly version: string;
  /** The languages of `fs.ocr.language` that are installed; at least one. */
  readonly languages: readonly string[];
  /**
   * The text of the picture, possibly empty.
   * @throws CrawlerError `corrupt` when the picture cannot be read, `cancelled` when the signal was aborted, `unavailable` when
   * the engine itself failed
   */
  recognise(picture: RenderedPicture, options: OcrOptions, signal: AbortSignal): Promise<string>;
}

/** The result of searching for an engine. */
export interface OcrInstallation {
  readonly engine: OcrEngine | undefined;
  /** Sentences for the user: what is missing and how to install it. Undefined when nothing is missing. */
  readonly remedy: string | undefined;
}

/** `eng+fra` as an array without duplicates. */
export function languagesOf(options: OcrOptions): readonly string[] {
  const names = options.language.split('+').map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}
