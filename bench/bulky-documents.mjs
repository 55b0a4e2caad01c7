// A PDF and a Word document of about 100 KB each: ten pages of text, and a picture that makes up the rest.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import { makePdf, wrap } from '../examples/makers/pdf.mjs';
import { makeDocx } from '../examples/makers/word.mjs';
import { makeTexts } from './text-tree.mjs';

const BYTES = 100_000;
const PAGES = 10;
const about = { title: 'A bulky report', author: 'Bench', subject: 'Load', keywords: 'bench, load' };

export function writeBulkyDocuments(folder) {
  const pages = makeTexts(PAGES, 3000);
  const files = { pdf: join(folder, 'bulky.pdf'), docx: join(folder, 'bulky.docx') };
  writeFileSync(files.pdf, bulkyPdf(pages));
  writeFileSync(files.docx, bulkyDocx(pages));
  return files;
}

/** The picture comes as an update of the file, as editors append one. */
function bulkyPdf(pages) {
  const lines = pages.map((page) => wrap(page.replaceAll('\n', ' ')).map((text) => ({ text, size: 9 })));
  const base = Buffer.from(makePdf({ ...about, pages: lines }));
  const text = base.toString('latin1');
  const size = Number(/\/Size (\d+)/.exec(text)[1]);
  const root = /\/Root (\d+) 0 R/.exec(text)[1];
  const previous = /startxref\s+(\d+)/.exec(text)[1];
  const picture = noise(BYTES - base.length);
  const start = `\n${size} 0 obj\n<< /Type /XObject /Subtype /Image /Width ${picture.length} /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length ${picture.length} >>\nstream\n`;
  const object = Buffer.concat([Buffer.from(start), picture, Buffer.from('\nendstream\nendobj\n')]);
  const entry = `${String(base.length + 1).padStart(10, '0')} 00000 n \n`;
  const trailer = `trailer\n<< /Size ${size + 1} /Root ${root} 0 R /Prev ${previous} >>\n`;
  const end = `xref\n${size} 1\n${entry}${trailer}startxref\n${base.length + object.length}\n%%EOF\n`;
  return Buffer.concat([base, object, Buffer.from(end)]);
}

function bulkyDocx(pages) {
  const blocks = pages.flatMap((page) => page.split('\n').map((text) => ({ text })));
  const properties = { ...about, description: '' };
  const base = makeDocx({ properties, header: 'Bulky', footer: 'Bench', blocks, comment: 'None', footnote: 'None' });
  const picture = noise(BYTES - base.length);
  return zipSync({ ...unzipSync(new Uint8Array(base)), 'word/media/image1.png': [picture, { level: 0 }] });
}

/** Bytes that nothing compresses, the same in each run. */
function noise(length) {
  let state = 7;
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
}
