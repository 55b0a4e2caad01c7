import { extractionLimits } from './extraction-limits.js';
import type { ExtractorService, OcrOptions } from './extraction.js';
import type { JobSettings } from '../settings/job-settings.js';
import type { OcrStatus } from './ocr/ocr-status.js';
import { SharedExtraction } from './shared-extraction.js';
import type { SmallTexts } from './small-texts.js';
import type { SandboxStatus } from './runtime/isolation/sandbox-status.js';
import { TextsAtOnce } from './texts-at-once.js';

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
export { kindOfName, type KindTime } from './kind-times.js';
export { openExtractionPool, openExtractor, type PoolOptions } from './open-extractor.js';
export { SharedExtraction };

/** Tells the name of the format that reads a media type; undefined when none does. */
export async function loadFormatNames(): Promise<(mediaType: string) => string | undefined> {
  const { findFormat } = await import('./registry.js');
  return (mediaType) => findFormat(mediaType)?.name;
}

/** Extracts small texts without a process. Undefined where every document is for one. */
export async function openSmallTexts(settings: JobSettings): Promise<SmallTexts | undefined> {
  return takesSmallTexts(settings) ? await newSmallTexts(settings) : undefined;
}

/** The service, without whatever needs no process. Unchanged where every document is for one. */
export function smallTextsFirst(service: SharedExtraction, settings: JobSettings): Pick<ExtractorService, 'extract'> {
  return takesSmallTexts(settings) ? new TextsAtOnce(service, () => newSmallTexts(settings)) : service;
}

/** Tells by their names which files may be such texts. Undefined where every document is for a process. */
export async function loadSmallTextNames(settings: JobSettings): Promise<((name: string) => boolean) | undefined> {
  return takesSmallTexts(settings) ? (await import('./small-text-names.js')).isTextName : undefined;
}

async function newSmallTexts({ extractor }: JobSettings): Promise<SmallTexts> {
  const { SmallTexts } = await import('./small-texts.js');
  return new SmallTexts(extractionLimits(extractor.limits).document);
}

/** The settings may want every document in a process, more of a text than reading it, or none of its formats. */
function takesSmallTexts({ extractor: { provider, sandbox }, fs }: JobSettings): boolean {
  const isRead = fs.indexContent && !fs.jsonSupport && !fs.xmlSupport;
  return isRead && !fs.storeSource && !fs.langDetect && provider !== 'tika' && sandbox !== 'strict';
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
