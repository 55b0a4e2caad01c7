import { Parser } from 'htmlparser2';

/**
 * hOCR is an HTML page in which every word carries its place: `ocrx_word` within `ocr_line` (or another kind of line) within
 * `ocr_par`. Only the words are wanted: they come out as tesseract's plain text would have them, one line each line, an
 * empty line behind each paragraph.
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
