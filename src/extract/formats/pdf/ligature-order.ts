import type { PdfiumLibrary } from './pdfium.js';
import { withMemory } from './pdfium.js';

/**
 * Arabic joins lam and the alef that follows it into one sign. PDFium takes the sign apart into its two letters and then
 * turns the line around letter by letter, so that alef comes first: `األمن` for `الأمن`. An article (alef, lam) looks the
 * same, but has two signs; the letters of one sign stand at the same point.
 */
const ALEF_LAM = /[\u0622\u0623\u0625\u0627]\u0644/gu;

export function orderLigatures(text: string, page: number, library: PdfiumLibrary): string {
  if (!text.includes('\u0644')) return text;
  return text.replace(ALEF_LAM, (pair: string, at: number) => {
    const [alef, lam] = [at, at + 1].map((index) => originOf(page, index, library));
    const isOneSign = alef !== undefined && alef.x === lam?.x && alef.y === lam.y;
    return isOneSign ? `\u0644${pair.charAt(0)}` : pair;
  });
}

function originOf(page: number, textIndex: number, library: PdfiumLibrary): { x: number; y: number } | undefined {
  const index = library.FPDFText_GetCharIndexFromTextIndex(page, textIndex);
  return withMemory(library, 16, (pointer) => {
    if (index < 0 || !library.FPDFText_GetCharOrigin(page, index, pointer, pointer + 8)) return undefined;
    const view = new DataView(library.pdfium.HEAPU8.buffer, pointer, 16);
    return { x: view.getFloat64(0, true), y: view.getFloat64(8, true) };
  });
}
