import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Pdfium from '@embedpdf/pdfium';
import { installedPackage } from '../../../base/package-root.js';

/**
 * PDFium compiled to WebAssembly, loaded once a process and only when the first PDF comes. Its interface is C: documents,
 * pages and texts are numbers (pointers), strings go through memory that the caller allocates and frees.
 */
export interface PdfiumLibrary {
  readonly pdfium: {
    readonly wasmExports: { malloc(size: number): number; free(pointer: number): void };
    /** Views of the memory; they are replaced when the memory grows, so they must be asked for each time. */
    readonly HEAPU8: Uint8Array;
    /** Makes a function callable by its number; `ii` takes one number and returns one. */
    addFunction(callback: (pointer: number) => number, signature: 'ii'): number;
  };
  PDFiumExt_Init(): void;
  FPDF_LoadMemDocument(bytes: number, size: number, password: string): number;
  FPDF_GetLastError(): number;
  FPDF_CloseDocument(document: number): void;
  FPDF_GetPageCount(document: number): number;
  FPDF_GetDocPermissions(document: number): number;
  FPDF_GetDocUserPermissions(document: number): number;
  FPDF_GetSecurityHandlerRevision(document: number): number;
  FPDF_GetFileVersion(document: number, version: number): boolean;
  FPDF_LoadPage(document: number, index: number): number;
  FPDF_ClosePage(page: number): void;
  FPDF_GetPageWidthF(page: number): number;
  FPDF_GetPageHeightF(page: number): number;
  FPDFPage_CountObjects(page: number): number;
  FPDFPage_GetObject(page: number, index: number): number;
  FPDFFormObj_CountObjects(form: number): number;
  FPDFFormObj_GetObject(form: number, index: number): number;
  FPDFPageObj_GetType(object: number): number;
  FPDFTextObj_SetTextRenderMode(text: number, mode: number): boolean;
  FPDFImageObj_GetImageDataRaw(image: number, target: number, size: number): number;
  FPDFImageObj_GetImagePixelSize(image: number, width: number, height: number): boolean;
  FPDFBitmap_CreateEx(width: number, height: number, format: number, buffer: number, stride: number): number;
  FPDFBitmap_FillRect(
    bitmap: number,
    left: number,
    top: number,
    width: number,
    height: number,
    colour: number,
  ): boolean;
  FPDFBitmap_GetBuffer(bitmap: number): number;
  FPDFBitmap_GetStride(bitmap: number): number;
  FPDFBitmap_Destroy(bitmap: number): void;
  FPDF_RenderPageBitmap_Start(
    bitmap: number,
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotation: number,
    flags: number,
    pause: number,
  ): number;
  FPDF_RenderPage_Close(page: number): void;
  FPDFText_LoadPage(page: number): number;
  FPDFText_ClosePage(text: number): void;
  FPDFText_CountChars(text: number): number;
  FPDFText_HasUnicodeMapError(text: number, index: number): number;
  FPDFText_GetCharIndexFromTextIndex(text: number, index: number): number;
  FPDFText_GetCharOrigin(text: number, index: number, x: number, y: number): boolean;
  FPDFText_GetText(text: number, start: number, count: number, target: number): number;
  EPDFDoc_GetPageObjectNumberByIndex(document: number, index: number): number;
  EPDF_RemoveEncryption(document: number): boolean;
  PDFiumExt_OpenFileWriter(): number;
  PDFiumExt_CloseFileWriter(writer: number): void;
  PDFiumExt_SaveAsCopy(document: number, writer: number): number;
  PDFiumExt_GetFileWriterSize(writer: number): number;
  PDFiumExt_GetFileWriterData(writer: number, target: number, size: number): number;
}

let loading: Promise<PdfiumLibrary> | undefined;

export function loadPdfium(): Promise<PdfiumLibrary> {
  loading ??= load();
  return loading;
}

/** After a crash inside PDFium: the next document gets a fresh one. */
export function discardPdfium(): void {
  loading = undefined;
}

async function load(): Promise<PdfiumLibrary> {
  const folder = installedPackage('@embedpdf/pdfium');
  if (folder === undefined) throw new Error('The package @embedpdf/pdfium is missing: install the crawler again.');
  const files = join(folder, 'dist');
  const { init } = createRequire(import.meta.url)(join(files, 'index.cjs')) as typeof Pdfium;
  const wasm = await readFile(join(files, 'pdfium.wasm'));
  const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength);
  const library = (await init({ wasmBinary })) as unknown as PdfiumLibrary;
  library.PDFiumExt_Init();
  return library;
}

/** Runs `work` with `size` bytes of PDFium's memory, which are freed afterwards. Undefined when there is no memory. */
export function withMemory<T>(library: PdfiumLibrary, size: number, work: (pointer: number) => T): T | undefined {
  const { wasmExports } = library.pdfium;
  const pointer = wasmExports.malloc(Math.max(size, 1));
  if (pointer === 0) return undefined;
  try {
    return work(pointer);
  } finally {
    wasmExports.free(pointer);
  }
}
