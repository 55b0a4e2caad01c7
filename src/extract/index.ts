import { extractionLimits } from './extraction-limits.js';
import type { OcrOptions } from './extraction.js';
import type { JobSettings } from '../settings/job-settings.js';
import type { OcrStatus } from './ocr/ocr-status.js';
import type { SmallTexts } from './small-texts.js';
import type { SandboxStatus } from './runtime/isolation/sandbox-status.js';

/**
 * From bytes to text and metadata. Everybody outside of this folder imports this file and none behind it. What takes time to
 * load is loaded when it is asked for.
 */
export type { SmallTexts } from './small-texts.js';
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
export { defaultLimits } from './limits.js';
export { isTextName, kindOfName, type KindTime } from './kind-times.js';
export { openExtractionPool, openExtractor, type PoolOptions } from './open-extractor.js';
export { SharedExtraction } from './shared-extraction.js';

/** Tells the name of the format that reads a media type; undefined when none does. */
export async function loadFormatNames(): Promise<(mediaType: string) => string | undefined> {
  const { findFormat } = await import('./registry.js');
  return (mediaType) => findFormat(mediaType)?.name;
}

/**
 * Extracts small texts without a process. Undefined where the settings want every document in one, or more of a text than
 * reading it.
 */
export async function openSmallTexts({ extractor, fs }: JobSettings): Promise<SmallTexts | undefined> {
  const { provider, sandbox, limits } = extractor;
  if (provider === 'tika' || sandbox === 'strict' || !fs.indexContent || fs.storeSource || fs.langDetect)
    return undefined;
  const { SmallTexts } = await import('./small-texts.js');
  return new SmallTexts(extractionLimits(limits).document);
}

/** How processes that read documents are isolated on this machine. Starts some. */
export async function sandboxStatus(level: JobSettings['extractor']['sandbox']): Promise<SandboxStatus> {
  const sandbox = await import('./runtime/isolation/sandbox-status.js');
  return await sandbox.sandboxStatus(level);
}

/** What recognises text in pictures on this machine. */
export async function ocrStatus(options: OcrOptions, programs?: SandboxStatus['programs']): Promise<OcrStatus> {
  const ocr = await import('./ocr/ocr-status.js');
  if (programs === undefined) return await ocr.ocrStatus(options);
  const { isolatedPrograms } = await import('./runtime/isolation/isolate-program.js');
  return await ocr.ocrStatus(options, isolatedPrograms(programs));
}
