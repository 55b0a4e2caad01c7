import type { Format } from './format.js';
import { formats as archive } from './formats/archive/format.js';
import { formats as compressed } from './formats/compressed/format.js';
import { formats as doc } from './formats/doc/format.js';
import { formats as docx } from './formats/docx/format.js';
import { formats as emf } from './formats/emf/format.js';
import { formats as epub } from './formats/epub/format.js';
import { formats as fb2 } from './formats/fb2/format.js';
import { formats as html } from './formats/html/format.js';
import { formats as image } from './formats/image/format.js';
import { formats as iwork } from './formats/iwork/format.js';
import { formats as mail } from './formats/mail/format.js';
import { formats as media } from './formats/media/format.js';
import { formats as msg } from './formats/msg/format.js';
import { formats as odf } from './formats/odf/format.js';
import { formats as pdf } from './formats/pdf/format.js';
import { formats as ppt } from './formats/ppt/format.js';
import { formats as pptx } from './formats/pptx/format.js';
import { formats as protectedOffice } from './formats/protected-office/format.js';
import { formats as rtf } from './formats/rtf/format.js';
import { formats as sevenZip } from './formats/seven-zip/format.js';
import { formats as text } from './formats/text/format.js';
import { formats as tnef } from './formats/tnef/format.js';
import { formats as vsdx } from './formats/vsdx/format.js';
import { formats as xls } from './formats/xls/format.js';
import { formats as xlsb } from './formats/xlsb/format.js';
import { formats as xlsx } from './formats/xlsx/format.js';
import { formats as xml } from './formats/xml/format.js';
import { formats as xps } from './formats/xps/format.js';

/** All formats, in the order of docs/formats.md. A new one is a folder in `formats/` and a line here. */
export const formats: readonly Format[] = [
  ...[text, html, xml, fb2],
  ...[archive, sevenZip, compressed],
  ...[pdf, docx, xlsx, xlsb, pptx, odf, epub, rtf, iwork, vsdx, xps],
  ...[doc, xls, ppt, msg, protectedOffice],
  ...[mail, tnef, emf, image, media],
].flat();

const byType = new Map(formats.flatMap((format) => format.mediaTypes.map((type) => [type, format] as const)));

/** The format for a detected type: by the whole type, without its parameters, by its ending, by its beginning. */
export function findFormat(mediaType: string): Format | undefined {
  const exact = byType.get(mediaType);
  if (exact !== undefined) return exact;
  const semicolon = mediaType.indexOf(';');
  if (semicolon !== -1) return findFormat(mediaType.slice(0, semicolon));
  if (mediaType.endsWith('+xml')) return byType.get('*+xml');
  return mediaType.startsWith('text/') ? byType.get('text/*') : undefined;
}
