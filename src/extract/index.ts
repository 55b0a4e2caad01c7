import type { ExtractorService, OcrOptions } from './extraction.js';
import type { OcrStatus } from './ocr/ocr-status.js';
import type { ExtractionPoolOptions } from './runtime/pool/extraction-pool.js';
import type { OpenTikaOptions } from './tika/open-tika-extractor.js';

/**
 * From bytes to text and metadata. Everybody outside of this folder imports this file and none behind it. What takes time to
 * load is loaded when it is asked for.
 */
export type {
  ExtractedMember,
  Extraction,
  ExtractionActivity,
  ExtractionContent,
  ExtractionOptions,
  ExtractorService,
  Metadata,
  OcrOptions,
} from './extraction.js';
export { embeddedVersion } from './extraction-version.js';
export { defaultLimits, OWN_END, type ExtractionLimits, type WorkerLimits } from './limits.js';
export { kindOfName, type KindTime } from './kind-times.js';
export { SharedExtraction } from './shared-extraction.js';

/** The extractors of this program, in child processes. None is started before the first document. */
export async function openExtractionPool(options: ExtractionPoolOptions): Promise<ExtractorService> {
  const { ExtractionPool } = await import('./runtime/pool/extraction-pool.js');
  return new ExtractionPool(options);
}

/** A Tika server, alone or behind the extractors of this program. See tika/open-tika-extractor.ts for what it throws. */
export async function openTikaExtractor(options: OpenTikaOptions, signal: AbortSignal): Promise<ExtractorService> {
  const tika = await import('./tika/open-tika-extractor.js');
  return await tika.openTikaExtractor(options, signal);
}

/** Tells the name of the format that reads a media type; undefined when none does. */
export async function loadFormatNames(): Promise<(mediaType: string) => string | undefined> {
  const { findFormat } = await import('./registry.js');
  return (mediaType) => findFormat(mediaType)?.name;
}

/** What recognises text in pictures on this machine. */
export async function ocrStatus(options: OcrOptions): Promise<OcrStatus> {
  const ocr = await import('./ocr/ocr-status.js');
  return await ocr.ocrStatus(options);
}
