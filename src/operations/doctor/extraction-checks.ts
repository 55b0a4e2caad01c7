import { messageOf } from '../../base/errors.js';
import { ocrStatus, openExtractor } from '../../extract/index.js';
import type { JobContext } from '../job/job-context.js';
import { broken, ok, skipped, warning, type Check } from './check.js';

/** Is text in pictures recognised, by what, and in which languages? */
export async function ocrCheck({ settings }: JobContext): Promise<Check> {
  const { ocr, indexContent } = settings.fs;
  if (!indexContent) return skipped('ocr', 'fs.index_content is off: nothing is extracted');
  if (!ocr.enabled) return skipped('ocr', 'switched off (fs.ocr.enabled)');
  const { engine, version, languages, remedy } = await ocrStatus(ocr);
  const text =
    engine === 'none'
      ? 'text in pictures and scanned pages is not recognised'
      : `${engine} ${version ?? ''}, languages ${languages.length === 0 ? 'none' : languages.join(', ')}, PDF: ${ocr.pdfStrategy}`;
  return remedy === undefined ? ok('ocr', text) : warning('ocr', text, remedy);
}

/** Can the extractor of the job be had? A Tika server is asked. */
export async function extractorCheck({ settings, logger, signal }: JobContext): Promise<Check> {
  const { provider, tika } = settings.extractor;
  try {
    const extractor = await openExtractor(settings, logger, { signal });
    const { version } = extractor;
    await extractor.close();
    return ok('extractor', version);
  } catch (error) {
    const remedy = `Start the Tika server (extractor.tika.url ${tika.url ?? 'is not set'}), or set extractor.provider to embedded.`;
    return broken('extractor', `${provider}: ${messageOf(error)}`, remedy);
  }
}
