/**
 * Writes small PDF files object by object, so that a test can say exactly what is in one. Text is Latin-1, pages use
 * Helvetica; `build` adds the cross-reference table.
 */
export interface PdfPage {
  /** One line of text each. */
  readonly lines: readonly string[];
  /** Bodies of annotation dictionaries, without the brackets. */
  readonly annotations?: readonly string[];
  /** Drawn besides the lines. */
  readonly drawing?: string;
  /** `0 0 600 800` when left out. */
  readonly mediaBox?: string;
  /** Entries of the resources besides the font. */
  readonly resources?: string;
}

export interface PdfParts {
  readonly pages: readonly PdfPage[];
  /** Entries of the catalog, of the information dictionary and of the trailer. */
  readonly catalog?: string;
  readonly info?: string;
  readonly trailer?: string;
}

export class PdfBuilder {
  readonly #objects: Buffer[] = [];

  /** Adds an object and returns its number. */
  add(body: string | Buffer): number {
    this.#objects.push(typeof body === 'string' ? Buffer.from(body, 'latin1') : body);
    return this.#objects.length;
  }

  addStream(dict: string, data: Buffer | string): number {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
    return this.add(
      Buffer.concat([
        Buffer.from(`<< ${dict} /Length ${bytes.length} >>\nstream\n`),
        bytes,
        Buffer.from('\nendstream'),
      ]),
    );
  }

  /** Adds pages, catalog and information dictionary and returns the file. */
  build(parts: PdfParts): Buffer {
    const font = this.add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
    const tree = this.#objects.length + parts.pages.length * 2 + 1;
    const kids = parts.pages.map((page) => this.#addPage(page, font, tree));
    this.add(`<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`);
    const catalog = this.add(`<< /Type /Catalog /Pages ${tree} 0 R ${parts.catalog ?? ''} >>`);
    const info = parts.info === undefined ? '' : `/Info ${this.add(`<< ${parts.info} >>`)} 0 R`;
    return this.#write(`/Root ${catalog} 0 R ${info} ${parts.trailer ?? ''}`);
  }

  #addPage(page: PdfPage, font: number, tree: number): number {
    const shown = page.lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj 0 -20 Td`).join(' ');
    const content = this.addStream('', `${page.drawing ?? ''} BT /F1 12 Tf 50 700 Td ${shown} ET`);
    const annotations = (page.annotations ?? []).map((body) => `<< /Type /Annot /Rect [0 0 9 9] ${body} >>`).join(' ');
    return this.add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [${page.mediaBox ?? '0 0 600 800'}] /Contents ${content} 0 R ` +
        `/Resources << /Font << /F1 ${font} 0 R >> ${page.resources ?? ''} >> /Annots [${annotations}] >>`,
    );
  }

  #write(trailer: string): Buffer {
    const pieces = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
    const offsets: number[] = [];
    let length = pieces[0]!.length;
    this.#objects.forEach((body, index) => {
      offsets.push(length);
      const piece = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
      pieces.push(piece);
      length += piece.length;
    });
    const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
    const size = offsets.length + 1;
    pieces.push(
      Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} ${trailer} >>\n`),
      Buffer.from(`startxref\n${length}\n%%EOF\n`),
    );
    return Buffer.concat(pieces);
  }
}
