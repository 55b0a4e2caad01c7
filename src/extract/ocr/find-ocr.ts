import type { OcrOptions } from '../extraction.js';
import type { OcrInstallation } from './ocr-engine.js';
import { findTesseractJs } from './tesseract-js/find-tesseract-js.js';
import { findTesseract } from './tesseract/find-tesseract.js';

/**
 * The OCR engine of this machine: the tesseract program, else the packages of tesseract.js, else none. Finding it starts
 * processes, so each process does this once for each set of options.
 */
const found = new Map<string, Promise<OcrInstallation>>();

export function findOcr(options: OcrOptions): Promise<OcrInstallation> {
  const { path, dataPath, language } = options;
  const key = JSON.stringify([path, dataPath, language]);
  let installation = found.get(key);
  if (installation === undefined) {
    installation = detect(options);
    found.set(key, installation);
  }
  return installation;
}

async function detect(options: OcrOptions): Promise<OcrInstallation> {
  const program = await findTesseract(options);
  if (program.engine !== undefined) return program;
  const packages = findTesseractJs(options);
  if (packages.engine === undefined) {
    return { engine: undefined, remedy: `${program.remedy ?? ''} ${packages.remedy ?? ''}`.trim() };
  }
  // A program that is configured by its path and cannot be used is reported; a missing default program is not.
  return { engine: packages.engine, remedy: options.path === undefined ? packages.remedy : program.remedy };
}
