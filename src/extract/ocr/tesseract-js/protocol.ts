/**
 * Messages between a broker and the process that runs tesseract.js for it, one picture at a time: frames on its standard input
 * and output. The picture comes from a document, so the process is not trusted and Node's IPC channel is not used.
 */
export interface LanguageFile {
  readonly language: string;
  /** A `.traineddata` file, possibly compressed with gzip (`.gz`). */
  readonly path: string;
}

/** The argument of the process, as JSON. */
export interface TesseractJsSetup {
  /** The folder of the package. */
  readonly folder: string;
  readonly languages: readonly string[];
  /** The folder with the data of all languages, and whether their names end with `.gz`. */
  readonly data: string;
  readonly isPacked: boolean;
}

/** Kinds of frames to the process: how to recognise a picture (JSON), then the picture. */
export const requestFrames = { how: 1, picture: 2 } as const;
/** Kinds of frames from the process, both UTF-8. */
export const resultFrames = { text: 1, fault: 2 } as const;
/** A page of text takes some kilobytes; as hOCR, some hundred. */
export const MOST_RESULT_BYTES = 64 * 1024 * 1024;

export interface HowToRecognise {
  /** Variables of tesseract. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly output: 'text' | 'hocr';
}
