import { expect, test } from '@jest/globals';
import { hocrText } from '../../../../src/extract/ocr/hocr-text.js';

function line(...words: string[]): string {
  const inner = words.map((word) => `<span class='ocrx_word' title='bbox 1 2 3 4; x_wconf 96'>${word}</span>\n`);
  return `<span class='ocr_line' title="bbox 1 2 3 4">\n${inner.join('')}</span>\n`;
}

function page(...paragraphs: string[]): string {
  const inner = paragraphs.map((lines) => `<p class='ocr_par' lang='eng'>\n${lines}</p>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<html><head><title></title><meta name='ocr-system' content='tesseract' /></head>
<body><div class='ocr_page' title='image "stdin"'><div class='ocr_carea'>${inner.join('')}</div></div></body></html>`;
}

test.each([
  ['words of a line are parted by one blank', page(line('one', 'two')), 'one two\n\n'],
  ['lines and paragraphs stay apart', page(line('a') + line('b'), line('c')), 'a\nb\n\nc\n\n'],
  [
    'characters that HTML writes as names are one word',
    page(line('AT&amp;T', '&lt;x&gt;', 'it&#39;s')),
    "AT&T <x> it's\n\n",
  ],
  ['bold words are words', page(line('<strong>bold</strong>', '<em>slanted</em>')), 'bold slanted\n\n'],
  ['headers and captions are lines', page(line('Title').replace('ocr_line', 'ocr_header')), 'Title\n\n'],
  ['a page without words is empty', page(), ''],
  ['what is not hOCR is empty', 'plain text', ''],
])('%s', (_promise, markup, text) => {
  expect(hocrText(markup)).toBe(text);
});
