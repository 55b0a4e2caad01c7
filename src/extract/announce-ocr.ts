import { messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { ProgramIsolation } from './runtime/isolation/sandbox-backend.js';
import type { OcrOptions } from './extraction.js';

/** Says what reads the text in pictures, or why nothing does. Nobody waits for it. */
export async function announceOcr(options: OcrOptions, logger: Logger, programs?: ProgramIsolation): Promise<void> {
  if (!options.enabled || !logger.isEnabled('warn')) return;
  try {
    const { ocrStatus } = await import('./ocr/ocr-status.js');
    const { isolatedPrograms } = await import('./runtime/isolation/isolate-program.js');
    const isolation = programs === undefined ? undefined : isolatedPrograms(programs);
    const { engine, version, languages, remedy } = await ocrStatus(options, isolation);
    if (engine === 'none') {
      const message = `Text in pictures and scanned pages is not recognised. ${remedy ?? ''}`.trimEnd();
      if (programs?.isRequired === true) logger.warn(message);
      else logger.info(message);
      return;
    }
    logger.info(`Text in pictures is recognised by ${engine} ${version ?? ''} [${languages.join('+')}].`);
    if (remedy !== undefined) logger.warn(remedy);
  } catch (error) {
    logger.warn(`It is not known whether text in pictures is recognised: ${messageOf(error)}`);
  }
}
