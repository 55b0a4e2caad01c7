import type { OcrOptions } from '../extraction.js';
import type { OcrInstallation } from './ocr-engine.js';
import { findTesseractJs } from './tesseract-js/find-tesseract-js.js';
import { findTesseract } from './tesseract/find-tesseract.js';

/**
 * The engine of this machine: the tesseract program, else the packages of tesseract.js, else none. Looking for it starts
 * processes, so each process looks once for each set of options.
 */
const found = new Map<string, Promise<OcrInstallation>>();

export function findOcr(options: OcrOptions): Promise<OcrInstallation> {
  const { path, dataPath, language } = options;
  const key = JSON.stringify([path, dataPath, language]);
  let installation = found.get(key);
  if (installation === undefined) {
    installation = look(options);
    found.set(key, installation);
  }
  return installation;
}

async function look(options: OcrOptions): Promise<OcrInstallation> {
  const program = await findTesseract(options);
  if (program.engine !== undefined) return program;
  const packages = findTesseractJs(options);
  if (packages.engine === undefined) {
    return { engine: undefined, remedy: `${program.remedy ?? ''} ${packages.remedy ?? ''}`.trim() };
  }
  // A program that was asked for by its path and is not used deserves a word; one that nobody mentioned does not.
  return { engine: packages.engine, remedy: options.path === undefined ? packages.remedy : program.remedy };
}
