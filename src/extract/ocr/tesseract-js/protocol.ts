/** Messages between an extraction process and the process that runs tesseract.js for it: one picture at a time. */
export interface LanguageFile {
  readonly language: string;
  /** A `.traineddata` file, possibly compressed with gzip (`.gz`). */
  readonly path: string;
}

/** The argument of the process, as JSON. */
export interface TesseractJsSetup {
  /** The folder of the package. */
  readonly folder: string;
  readonly languages: readonly LanguageFile[];
}

export interface ToTesseractJs {
  readonly bytes: Uint8Array;
  /** Variables of tesseract. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly output: 'text' | 'hocr';
}

export type FromTesseractJs = { readonly text: string } | { readonly fault: string };
