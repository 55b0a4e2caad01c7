import { messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { OcrOptions } from './extraction.js';

/** Says what reads the text in pictures, or why nothing does. Nobody waits for it. */
export async function announceOcr(options: OcrOptions, logger: Logger): Promise<void> {
  if (!options.enabled || !logger.isEnabled('info')) return;
  try {
    const { ocrStatus } = await import('./ocr/ocr-status.js');
    const { engine, version, languages, remedy } = await ocrStatus(options);
    if (engine === 'none') {
      logger.info(`Text in pictures and scanned pages is not recognised. ${remedy ?? ''}`.trimEnd());
      return;
    }
    logger.info(`Text in pictures is recognised by ${engine} ${version ?? ''} [${languages.join('+')}].`);
    if (remedy !== undefined) logger.warn(remedy);
  } catch (error) {
    logger.warn(`It is not known whether text in pictures is recognised: ${messageOf(error)}`);
  }
}
