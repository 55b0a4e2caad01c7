import { Parser } from 'htmlparser2';

/**
 * hOCR is HTML in which every word has its position: `ocrx_word` within `ocr_line` (or another kind of line) within
 * `ocr_par`. The result has only the words, in the form of tesseract's plain text: line by line, with an empty line after
 * each paragraph.
 */
const LINES: ReadonlySet<string> = new Set(['ocr_line', 'ocr_header', 'ocr_caption', 'ocr_textfloat']);

export function hocrText(markup: string): string {
  const open: string[] = [];
  let word = '';
  let line: string[] = [];
  let text = '';
  const parser = new Parser(
    {
      onopentag: (_name, attributes) => open.push(attributes['class'] ?? ''),
      ontext: (piece) => {
        if (open.includes('ocrx_word')) word += piece;
      },
      onclosetag: () => {
        const kind = open.pop() ?? '';
        if (kind === 'ocrx_word') {
          line.push(word.trim());
          word = '';
        } else if (LINES.has(kind)) {
          text += `${line.join(' ')}\n`;
          line = [];
        } else if (kind === 'ocr_par') text += '\n';
      },
    },
    { decodeEntities: true, xmlMode: true },
  );
  parser.end(markup);
  return text;
}
