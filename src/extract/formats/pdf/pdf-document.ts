import { CrawlerError } from '../../../base/errors.js';
import { orderLigatures } from './ligature-order.js';
import { loadPdfium, withMemory, type PdfiumLibrary } from './pdfium.js';

/** FPDF_GetLastError: the password is missing or wrong; the security handler is unknown. */
const ERROR_PASSWORD = 4;
const ERROR_SECURITY = 5;

/** A document that PDFium holds open. `close` gives its memory back and must be called. */
export class PdfDocument {
  readonly pageCount: number;
  /** True when the file is encrypted, also when it opens without a password. */
  readonly encrypted: boolean;
  /** Bits of the permissions that the password in use gives (ISO 32000-1 table 22). */
  readonly permissions: number;
  readonly #library: PdfiumLibrary;
  readonly #bytes: number;
  readonly #document: number;

  private constructor(library: PdfiumLibrary, bytes: number, document: number) {
    this.#library = library;
    this.#bytes = bytes;
    this.#document = document;
    this.pageCount = library.FPDF_GetPageCount(document);
    this.encrypted = library.FPDF_GetSecurityHandlerRevision(document) >= 0;
    this.permissions = library.FPDF_GetDocPermissions(document);
  }

  /**
   * Tries no password, then the candidates in order.
   * @throws CrawlerError `encrypted`, `corrupt`, `too_large`
   */
  static async open(bytes: Uint8Array, passwords: readonly string[]): Promise<PdfDocument> {
    const library = await loadPdfium();
    const { wasmExports } = library.pdfium;
    const pointer = wasmExports.malloc(Math.max(bytes.length, 1));
    if (pointer === 0) throw new CrawlerError('too_large', 'The PDF is too large for the memory of the PDF reader.');
    try {
      library.pdfium.HEAPU8.set(bytes, pointer);
      for (const password of ['', ...passwords]) {
        const document = library.FPDF_LoadMemDocument(pointer, bytes.length, password);
        if (document !== 0) return new PdfDocument(library, pointer, document);
        throwUnlessPassword(library.FPDF_GetLastError());
      }
      throw new CrawlerError('encrypted', 'The PDF is encrypted and no known password opens it.');
    } catch (error) {
      wasmExports.free(pointer);
      throw error;
    }
  }

  close(): void {
    this.#library.FPDF_CloseDocument(this.#document);
    this.#library.pdfium.wasmExports.free(this.#bytes);
  }

  /** The version of the file's header or catalog as `major.minor`. */
  get version(): string | undefined {
    const version = withMemory(this.#library, 4, (pointer) => {
      if (!this.#library.FPDF_GetFileVersion(this.#document, pointer)) return undefined;
      return new DataView(this.#library.pdfium.HEAPU8.buffer, pointer, 4).getInt32(0, true);
    });
    return version === undefined ? undefined : `${Math.floor(version / 10)}.${version % 10}`;
  }

  /** Number of the page's object, 0 when it is unknown. */
  pageObjectNumber(index: number): number {
    return this.#library.EPDFDoc_GetPageObjectNumberByIndex(this.#document, index);
  }

  /** The text as PDFium reads it, lines ending in CR LF; undefined when the page cannot be read. */
  pageText(index: number): string | undefined {
    return this.withPage(index, (page) => this.withPageText(page, (text) => this.readText(text)));
  }

  /** Loads a page for as long as `work` takes; undefined when it cannot be read. */
  withPage<T>(index: number, work: (page: number, library: PdfiumLibrary) => T): T | undefined {
    const page = this.#library.FPDF_LoadPage(this.#document, index);
    if (page === 0) return undefined;
    try {
      return work(page, this.#library);
    } finally {
      this.#library.FPDF_ClosePage(page);
    }
  }

  /** Loads the characters of a page for as long as `work` takes; undefined when they cannot be read. */
  withPageText<T>(page: number, work: (text: number, library: PdfiumLibrary) => T): T | undefined {
    const text = this.#library.FPDFText_LoadPage(page);
    if (text === 0) return undefined;
    try {
      return work(text, this.#library);
    } finally {
      this.#library.FPDFText_ClosePage(text);
    }
  }

  /** The text of the characters that `withPageText` gives. */
  readText(text: number): string {
    const count = this.#library.FPDFText_CountChars(text);
    if (count <= 0) return '';
    // Two units a character, since one may lie beyond the basic plane, and the final zero.
    const result = withMemory(this.#library, count * 4 + 2, (pointer) => {
      const units = this.#library.FPDFText_GetText(text, 0, count, pointer) - 1;
      const bytes = this.#library.pdfium.HEAPU8.subarray(pointer, pointer + Math.max(0, units) * 2);
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf16le');
    });
    return orderLigatures(result ?? '', text, this.#library);
  }

  /** The file as it would be without encryption; undefined when PDFium cannot write it. Ends the use of this document. */
  decryptedBytes(): Uint8Array | undefined {
    if (!this.#library.EPDF_RemoveEncryption(this.#document)) return undefined;
    const writer = this.#library.PDFiumExt_OpenFileWriter();
    try {
      this.#library.PDFiumExt_SaveAsCopy(this.#document, writer);
      const size = this.#library.PDFiumExt_GetFileWriterSize(writer);
      return withMemory(this.#library, size, (pointer) => {
        this.#library.PDFiumExt_GetFileWriterData(writer, pointer, size);
        return this.#library.pdfium.HEAPU8.slice(pointer, pointer + size);
      });
    } finally {
      this.#library.PDFiumExt_CloseFileWriter(writer);
    }
  }
}

function throwUnlessPassword(code: number): void {
  if (code === ERROR_PASSWORD) return;
  if (code === ERROR_SECURITY) {
    throw new CrawlerError('encrypted', 'The PDF is encrypted in a way that cannot be opened.');
  }
  throw new CrawlerError('corrupt', 'The PDF is damaged: its structure cannot be read.');
}
