import type { RenderedPicture } from '../../format.js';
import { someObject } from './page-contents.js';
import type { PdfDocument } from './pdf-document.js';
import { withMemory, type PdfiumLibrary } from './pdfium.js';

/**
 * A page drawn in shades of grey, as a picture that needs no encoder: PGM is a line `P5 width height 255` and then a byte for
 * each pixel, row by row.
 */
export interface PagePictureOptions {
  /** Leave out the text that can be read as text. */
  readonly onlyPictures: boolean;
  /** Drawing is given up after this. */
  readonly limitMs: number;
}

/** What recognition was trained for; 1 point is 1/72 inch. */
const DPI = 300;
const POINTS_PER_INCH = 72;
/** An A3 page at 300 dpi has 17 million pixels; larger pages are drawn more coarsely. */
const MOST_PIXELS = 20_000_000;
const SHORTEST_SIDE = 16;

/** FPDF_PAGEOBJ_TEXT, FPDF_TEXTRENDERMODE_INVISIBLE, FPDFBitmap_Gray, FPDF_GRAYSCALE, FPDF_RENDER_DONE. */
const TEXT = 1;
const INVISIBLE = 3;
const GREY_BITMAP = 1;
const IN_GREY = 0x08;
const DONE = 2;
const WHITE = 0xffffffff;

/** Undefined when the page cannot be drawn, or not in time. */
export function renderPage(
  document: PdfDocument,
  index: number,
  { onlyPictures, limitMs }: PagePictureOptions,
): RenderedPicture | undefined {
  return document.withPage(index, (page, library) => {
    const inches = { width: library.FPDF_GetPageWidthF(page), height: library.FPDF_GetPageHeightF(page) };
    const scale = scaleFor(inches.width, inches.height);
    const width = Math.round(inches.width * scale);
    const height = Math.round(inches.height * scale);
    if (!(Math.min(width, height) >= SHORTEST_SIDE)) return undefined;
    if (onlyPictures) hideText(library, page);
    const bitmap = library.FPDFBitmap_CreateEx(width, height, GREY_BITMAP, 0, 0);
    if (bitmap === 0) return undefined;
    try {
      library.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
      if (!draw(library, page, bitmap, { width, height, limitMs })) return undefined;
      return { bytes: toPgm(library, bitmap, width, height), dpi: Math.round(scale * POINTS_PER_INCH) };
    } finally {
      library.FPDFBitmap_Destroy(bitmap);
    }
  });
}

/** Pixels for a point. */
function scaleFor(width: number, height: number): number {
  return Math.min(DPI / POINTS_PER_INCH, Math.sqrt(MOST_PIXELS / (width * height)));
}

function hideText(library: PdfiumLibrary, page: number): void {
  someObject(library, page, (object, type) => {
    if (type === TEXT) library.FPDFTextObj_SetTextRenderMode(object, INVISIBLE);
    return false;
  });
}

/** PDFium asks between objects whether it should pause (IFSDK_PAUSE: version, function, user); it is never resumed. */
function draw(
  library: PdfiumLibrary,
  page: number,
  bitmap: number,
  { width, height, limitMs }: { readonly width: number; readonly height: number; readonly limitMs: number },
): boolean {
  const hasToPause = deadlineFunction(library);
  const status = withMemory(library, 12, (pause) => {
    const memory = new DataView(library.pdfium.HEAPU8.buffer, pause, 12);
    memory.setInt32(0, 1, true);
    memory.setInt32(4, hasToPause, true);
    memory.setInt32(8, 0, true);
    deadline = performance.now() + limitMs;
    const result = library.FPDF_RenderPageBitmap_Start(bitmap, page, 0, 0, width, height, 0, IN_GREY, pause);
    library.FPDF_RenderPage_Close(page);
    return result;
  });
  return status === DONE;
}

/** When the drawing that is under way must have ended. */
let deadline = 0;
/** Functions cannot be taken back, so each PDFium is given one. */
const deadlineFunctions = new WeakMap<PdfiumLibrary, number>();

function deadlineFunction(library: PdfiumLibrary): number {
  let number = deadlineFunctions.get(library);
  if (number === undefined) {
    number = library.pdfium.addFunction(() => (performance.now() > deadline ? 1 : 0), 'ii');
    deadlineFunctions.set(library, number);
  }
  return number;
}

function toPgm(library: PdfiumLibrary, bitmap: number, width: number, height: number): Uint8Array {
  const head = Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1');
  const picture = Buffer.allocUnsafe(head.length + width * height);
  head.copy(picture);
  const stride = library.FPDFBitmap_GetStride(bitmap);
  const rows = library.FPDFBitmap_GetBuffer(bitmap);
  for (let row = 0; row < height; row++) {
    const from = rows + row * stride;
    picture.set(library.pdfium.HEAPU8.subarray(from, from + width), head.length + row * width);
  }
  return picture;
}
