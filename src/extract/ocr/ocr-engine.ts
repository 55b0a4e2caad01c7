import type { OcrOptions } from '../extraction.js';
import type { RenderedPicture } from '../format.js';

/** What reads the text of one picture. Runs in a process of its own, so that it can be stopped at any moment. */
export interface OcrEngine {
  /** Reported as `tk:Parsed-By`. */
  readonly name: 'tesseract' | 'tesseract.js';
  readonly version: string;
  /** Those of `fs.ocr.language` that are installed, never none. */
  readonly languages: readonly string[];
  /**
   * The text of the picture, empty when it shows none. Throws CrawlerError: `corrupt` when the picture cannot be read,
   * `cancelled` when the signal was aborted, `unavailable` when the engine itself failed.
   */
  recognise(picture: RenderedPicture, options: OcrOptions, signal: AbortSignal): Promise<string>;
}

/** The outcome of looking for an engine. */
export interface OcrInstallation {
  readonly engine: OcrEngine | undefined;
  /** What is missing and what to do about it, as sentences for a person; undefined when all is well. */
  readonly remedy: string | undefined;
}

/** `eng+fra` as a list, each language once. */
export function languagesOf(options: OcrOptions): readonly string[] {
  const names = options.language.split('+').map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}
