import { createHash } from 'node:crypto';
import { isWorthReading } from '../../ocr/picture-size.js';
import type { PdfDocument } from './pdf-document.js';
import { withMemory, type PdfiumLibrary } from './pdfium.js';

/** A page as far as it decides about recognition. */
export interface PageContents {
  /** The text as PDFium reads it; undefined when it cannot. */
  readonly text: string | undefined;
  /** Nothing is drawn on it. */
  readonly isEmpty: boolean;
  /** It has next to no text, or the file does not say which letters it shows. */
  readonly isUnreadable: boolean;
  /** Digests of the pictures that are large enough to hold text; none when nobody wants to know. */
  readonly pictures: readonly string[];
}

/** Visible characters up to which a page counts as one without text, and unknown ones beyond which it does as well. */
const FEW_CHARACTERS = 10;
const MANY_UNKNOWN = 10;
/** Characters of a page that are asked whether they are unknown. */
const MOST_LOOKED_AT = 300;

/** FPDF_PAGEOBJ_IMAGE and FPDF_PAGEOBJ_FORM. */
const IMAGE = 3;
const FORM = 5;
/** Forms lie in forms; damaged ones in themselves. */
const DEEPEST_FORM = 8;
/** More than this are not looked at. */
const MOST_OBJECTS = 20_000;

/** Undefined when the page cannot be read. */
export function pageContents(document: PdfDocument, index: number, wantsPictures: boolean): PageContents | undefined {
  return document.withPage(index, (page, library) => {
    const read = document.withPageText(page, (characters) => ({
      text: document.readText(characters),
      isUnknown: hasManyUnknown(library, characters),
    }));
    return {
      text: read?.text,
      isEmpty: library.FPDFPage_CountObjects(page) === 0,
      isUnreadable: read === undefined || read.isUnknown || hasFewCharacters(read.text),
      pictures: wantsPictures ? largePictures(library, page) : [],
    };
  });
}

/** True as soon as `test` is for an object of the page, those within forms included. */
export function someObject(
  library: PdfiumLibrary,
  page: number,
  test: (object: number, type: number) => boolean,
): boolean {
  let seen = 0;
  function contains(count: number, at: (index: number) => number, depth: number): boolean {
    for (let index = 0; index < count && seen < MOST_OBJECTS; index++) {
      seen++;
      const object = at(index);
      const type = library.FPDFPageObj_GetType(object);
      if (test(object, type)) return true;
      if (type !== FORM || depth >= DEEPEST_FORM) continue;
      const inside = library.FPDFFormObj_CountObjects(object);
      if (contains(inside, (each) => library.FPDFFormObj_GetObject(object, each), depth + 1)) return true;
    }
    return false;
  }
  return contains(library.FPDFPage_CountObjects(page), (index) => library.FPDFPage_GetObject(page, index), 0);
}

function largePictures(library: PdfiumLibrary, page: number): string[] {
  const digests: string[] = [];
  someObject(library, page, (object, type) => {
    if (type === IMAGE && isLargePicture(library, object)) digests.push(digestOf(library, object));
    return false;
  });
  return digests;
}

/** Of the picture as it lies in the file, packed. */
function digestOf(library: PdfiumLibrary, image: number): string {
  const size = library.FPDFImageObj_GetImageDataRaw(image, 0, 0);
  const digest = withMemory(library, size, (pointer) => {
    library.FPDFImageObj_GetImageDataRaw(image, pointer, size);
    return createHash('sha1')
      .update(library.pdfium.HEAPU8.subarray(pointer, pointer + size))
      .digest('base64');
  });
  return digest ?? '';
}

function hasFewCharacters(text: string): boolean {
  let visible = 0;
  for (const match of text.matchAll(/[^\s\0]+/g)) {
    visible += match[0].length;
    if (visible > FEW_CHARACTERS) return false;
  }
  return true;
}

/** Of a long text, characters at even distances stand for the others: unknown ones come in runs. */
function hasManyUnknown(library: PdfiumLibrary, characters: number): boolean {
  const count = library.FPDFText_CountChars(characters);
  const step = Math.max(1, Math.ceil(count / MOST_LOOKED_AT));
  let unknown = 0;
  for (let index = 0; index < count; index += step) {
    if (library.FPDFText_HasUnicodeMapError(characters, index) === 1) unknown += step;
    if (unknown > MANY_UNKNOWN) return true;
  }
  return false;
}

function isLargePicture(library: PdfiumLibrary, image: number): boolean {
  const size = withMemory(library, 8, (pointer) => {
    if (!library.FPDFImageObj_GetImagePixelSize(image, pointer, pointer + 4)) return undefined;
    const view = new DataView(library.pdfium.HEAPU8.buffer, pointer, 8);
    return { width: view.getUint32(0, true), height: view.getUint32(4, true) };
  });
  return size !== undefined && isWorthReading(size.width, size.height);
}
