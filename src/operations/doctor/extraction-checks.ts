import { messageOf } from '../../base/errors.js';
import { ocrStatus, openExtractor, sandboxStatus } from '../../extract/index.js';
import type { JobContext } from '../job/job-context.js';
import { broken, ok, skipped, warning, type Check } from './check.js';

/** Is text in pictures recognised, by what, and in which languages? */
export async function ocrCheck({ settings }: JobContext): Promise<Check> {
  const { ocr, indexContent } = settings.fs;
  if (!indexContent) return skipped('ocr', 'fs.index_content is off: nothing is extracted');
  if (!ocr.enabled) return skipped('ocr', 'switched off (fs.ocr.enabled)');
  const { provider, sandbox, tika } = settings.extractor;
  const isElsewhere = sandbox === 'off' || (provider === 'tika' && tika.url !== undefined);
  const programs = isElsewhere ? undefined : (await sandboxStatus(sandbox)).programs;
  const { engine, version, languages, remedy } = await ocrStatus(ocr, programs);
  const text =
    engine === 'none'
      ? 'text in pictures and scanned pages is not recognised'
      : `${engine} ${version ?? ''}, languages ${languages.length === 0 ? 'none' : languages.join(', ')}, PDF: ${ocr.pdfStrategy}`;
  return remedy === undefined ? ok('ocr', text) : warning('ocr', text, remedy);
}

const ISOLATED =
  'a document that takes over its parser reads no other file, writes nothing, starts nothing and has no network';
const INSTALL =
  'Install bubblewrap (Debian: apt-get install bubblewrap). docs/security.md says what it keeps documents from.';
const ALLOW = 'docs/security.md says what the system must allow.';

/** Are the processes that read documents isolated? They are tried. */
export async function sandboxCheck({ settings }: JobContext): Promise<Check> {
  const { provider, sandbox, tika } = settings.extractor;
  if (provider === 'tika' && tika.url !== undefined) return skipped('sandbox', 'documents are read by the Tika server');
  if (sandbox === 'off') return skipped('sandbox', 'switched off (extractor.sandbox)');
  const { backend, version = '', faults } = await sandboxStatus(sandbox);
  const why = faults.length === 0 ? '' : ` (${faults.join('; ')})`;
  const remedy = faults.length === 0 ? INSTALL : ALLOW;
  switch (backend) {
    case 'bubblewrap':
      return ok('sandbox', `bubblewrap ${version}: ${ISOLATED} (probed)`);
    case 'setpriv':
      return ok('sandbox', `setpriv ${version}: ${ISOLATED}; it can see names and sizes of other files (probed)`);
    case 'node':
      return warning('sandbox', `Node alone restricts what documents can do: not against native code${why}`, remedy);
    case undefined:
      return sandbox === 'strict'
        ? broken('sandbox', `extractor.sandbox: strict is not available${why}`, remedy)
        : warning('sandbox', `the processes that read documents are not isolated${why}`, ALLOW);
  }
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
