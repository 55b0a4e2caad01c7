import { loadPdfium, withMemory, type PdfiumLibrary } from '../../src/extract/formats/pdf/pdfium.js';

interface EncryptingLibrary extends PdfiumLibrary {
  EPDF_SetEncryption(document: number, userPassword: string, ownerPassword: string, permissions: number): boolean;
}

const ALL_PERMISSIONS = 0xfffffffc;

/** The PDF with AES encryption; an empty user password leaves it readable for everybody. */
export async function encryptPdf(bytes: Buffer, userPassword: string): Promise<Buffer> {
  const library = (await loadPdfium()) as EncryptingLibrary;
  const result = withMemory(library, bytes.length, (pointer) => {
    library.pdfium.HEAPU8.set(bytes, pointer);
    const document = library.FPDF_LoadMemDocument(pointer, bytes.length, '');
    library.EPDF_SetEncryption(document, userPassword, 'owner', ALL_PERMISSIONS);
    const writer = library.PDFiumExt_OpenFileWriter();
    library.PDFiumExt_SaveAsCopy(document, writer);
    const size = library.PDFiumExt_GetFileWriterSize(writer);
    const copy = withMemory(library, size, (target) => {
      library.PDFiumExt_GetFileWriterData(writer, target, size);
      return Buffer.from(library.pdfium.HEAPU8.slice(target, target + size));
    });
    library.PDFiumExt_CloseFileWriter(writer);
    library.FPDF_CloseDocument(document);
    return copy;
  });
  if (result === undefined) throw new Error('There is no memory for encrypting the PDF.');
  return result;
}
