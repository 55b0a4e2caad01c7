import { choice, duration, flag, integer, localPath, text } from '../setting-types.js';
import { section, setting } from '../setting.js';

export const ocr = section('Text in pictures, read by tesseract where it is installed (crawler help ocr).', {
  enabled: setting(flag, { default: 'true', meaning: 'Recognise text in images and scanned pages.' }),
  language: setting(text, { default: 'eng', meaning: "Tesseract's languages, joined with `+`." }),
  path: setting(localPath, {
    example: '/opt/tesseract/bin/tesseract',
    meaning: 'The tesseract program, or the folder that holds it. Not set: found on the `PATH`.',
  }),
  dataPath: setting(localPath, {
    example: '/opt/tesseract/tessdata',
    meaning: "Folder of tesseract's language data (`tessdata`).",
  }),
  outputType: setting(choice(['txt', 'hocr']), {
    default: 'txt',
    meaning: 'How tesseract is asked for the text: as plain text, or as hOCR, of which only the words are kept.',
  }),
  pdfStrategy: setting(
    choice(['ocr_and_text', 'ocr_only', 'auto', 'no_ocr'], {
      aliases: { noocr: 'no_ocr', ocrandtext: 'ocr_and_text', ocronly: 'ocr_only' },
    }),
    {
      default: 'ocr_and_text',
      meaning:
        'PDF: text and recognition, recognition only, recognition of pages without text (`auto`), or none. `--setup` writes `auto` for new jobs.',
    },
  ),
  pageSegMode: setting(integer(0, 13), { default: '1', meaning: "Tesseract's page segmentation mode (`--psm`)." }),
  preserveInterwordSpacing: setting(flag, { default: 'false', meaning: 'Keep the blanks between words.' }),
  pageTimeoutMs: setting(duration, {
    default: '1m',
    meaning: 'Time for the recognition of one page or picture. A page that takes longer has no recognised text.',
  }),
  documentTimeoutMs: setting(duration, {
    default: '30m',
    meaning: 'Time for the recognition of one document, on top of `extractor.limits.time`.',
  }),
});
