import { zlibSync } from 'fflate';

/**
 * A PDF of plain text pages: 1.4, standard fonts, WinAnsi text, compressed page contents, outline, document properties.
 *
 * `pages` are lists of lines `{ text, size?, bold?, x?, link? }`; a line is set below the one before it.
 */
const PAGE = { width: 595, height: 842, margin: 72 };

export function makePdf({ title, author, subject, keywords, pages }) {
  const objects = [];
  const add = (body) => objects.push(body);
  const reserve = () => add(undefined);
  const catalog = reserve();
  const pageTree = reserve();
  const regular = add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  const bold = add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>');
  const pageNumbers = pages.map((lines) => addPage(lines));
  const outline = addOutline();
  const info = add(
    `<< /Title ${string(title)} /Author ${string(author)} /Subject ${string(subject)} /Keywords ${string(keywords)} ` +
      `/Creator (make-documents) /CreationDate (D:20251103090000Z) /ModDate (D:20251103090000Z) >>`,
  );
  objects[catalog - 1] =
    `<< /Type /Catalog /Pages ${pageTree} 0 R /Outlines ${outline} 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>`;
  objects[pageTree - 1] =
    `<< /Type /Pages /Count ${pages.length} /Kids [${pageNumbers.map((page) => `${page} 0 R`).join(' ')}] >>`;
  return write(objects, catalog, info);

  function addPage(lines) {
    const { content, links } = setLines(lines);
    const packed = Buffer.from(zlibSync(Buffer.from(content, 'latin1'), { level: 9 }));
    const stream = add(
      Buffer.concat([
        Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
        packed,
        Buffer.from('\nendstream'),
      ]),
    );
    const annotations = links.map((link) =>
      add(
        `<< /Type /Annot /Subtype /Link /Border [0 0 0] /Rect [${link.box.join(' ')}] /A << /S /URI /URI (${link.target}) >> >>`,
      ),
    );
    return add(
      `<< /Type /Page /Parent ${pageTree} 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Contents ${stream} 0 R ` +
        `/Resources << /Font << /F1 ${regular} 0 R /F2 ${bold} 0 R >> >> /Annots [${annotations.map((item) => `${item} 0 R`).join(' ')}] >>`,
    );
  }

  function addOutline() {
    const root = reserve();
    const first = objects.length + 1;
    pages.forEach((lines, i) => {
      const next = i < pages.length - 1 ? `/Next ${first + i + 1} 0 R` : '';
      const previous = i > 0 ? `/Prev ${first + i - 1} 0 R` : '';
      add(
        `<< /Title ${string(lines[0].text)} /Parent ${root} 0 R ${previous} ${next} /Dest [${pageNumbers[i]} 0 R /Fit] >>`,
      );
    });
    objects[root - 1] =
      `<< /Type /Outlines /First ${first} 0 R /Last ${first + pages.length - 1} 0 R /Count ${pages.length} >>`;
    return root;
  }
}

/** Breaks long texts into lines of about as many characters as fit. */
export function wrap(text, characters = 84) {
  const lines = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > characters) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function setLines(lines) {
  const links = [];
  let y = PAGE.height - PAGE.margin;
  const content = lines.map(({ text, size = 11, bold = false, x = PAGE.margin, link, sameLine = false }) => {
    if (!sameLine) y -= size * 1.5;
    if (link !== undefined) links.push({ target: link, box: [x, y - 3, x + text.length * size * 0.5, y + size] });
    return `BT /${bold ? 'F2' : 'F1'} ${size} Tf ${x} ${y.toFixed(1)} Td ${string(text)} Tj ET`;
  });
  return { content: content.join('\n'), links };
}

/** Code page 1252 has these where Latin-1 has nothing. */
const WIN_ANSI = { '–': '\x96', '—': '\x97', '’': '\x92', '€': '\x80' };

function string(text) {
  const bytes = text.replace(/[–—’€]/g, (character) => WIN_ANSI[character]);
  return `(${bytes.replace(/[\\()]/g, '\\$&')})`;
}

function write(objects, catalog, info) {
  const parts = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  const offsets = [];
  let length = parts[0].length;
  const push = (buffer) => {
    parts.push(buffer);
    length += buffer.length;
  };
  objects.forEach((body, i) => {
    offsets.push(length);
    const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
    push(Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), bytes, Buffer.from('\nendobj\n')]));
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const start = length;
  push(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}`));
  push(
    Buffer.from(`trailer\n<< /Size ${size} /Root ${catalog} 0 R /Info ${info} 0 R >>\nstartxref\n${start}\n%%EOF\n`),
  );
  return Buffer.concat(parts);
}
