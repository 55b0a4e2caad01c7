import type { OcrOptions } from '../extraction.js';
import type { OcrInstallation } from './ocr-engine.js';
import type { IsolatedPrograms } from './program-launcher.js';
import { findTesseractJs } from './tesseract-js/find-tesseract-js.js';
import { findTesseract } from './tesseract/find-tesseract.js';

/**
 * The OCR engine of this machine: the tesseract program, else the packages of tesseract.js, else none. Finding it starts
 * processes, so each process does this once for each set of options.
 */
const found = new Map<string, Promise<OcrInstallation>>();

/** @param isolation starts programs with fewer rights; where there is one, it is always the same in one process */
export function findOcr(options: OcrOptions, isolation?: IsolatedPrograms): Promise<OcrInstallation> {
  const { path, dataPath, language } = options;
  const key = JSON.stringify([path, dataPath, language, isolation?.isRequired]);
  let installation = found.get(key);
  if (installation === undefined) {
    installation = detect(options, isolation);
    found.set(key, installation);
  }
  return installation;
}

async function detect(options: OcrOptions, isolation: IsolatedPrograms | undefined): Promise<OcrInstallation> {
  const program = await findTesseract(options, isolation);
  if (program.engine !== undefined) return program;
  const packages = await findTesseractJs(options, isolation);
  if (packages.engine === undefined) {
    return { engine: undefined, remedy: `${program.remedy ?? ''} ${packages.remedy ?? ''}`.trim() };
  }
  // A program that is configured by its path and cannot be used is reported; a missing default program is not.
  return { engine: packages.engine, remedy: options.path === undefined ? packages.remedy : program.remedy };
}
