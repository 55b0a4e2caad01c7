/** Messages between an extraction process and the process that runs tesseract.js for it: one picture at a time. */
export interface LanguageFile {
  readonly language: string;
  /** A `.traineddata` file, or one with gzip around it (`.gz`). */
  readonly path: string;
}

/** Given on the command line as JSON. */
export interface TesseractJsSetup {
  /** Folder of the package. */
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
