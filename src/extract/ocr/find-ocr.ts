import type { OcrOptions } from '../extraction.js';
import type { OcrInstallation } from './ocr-engine.js';
import type { ProgramLauncher } from './program-launcher.js';
import { findTesseractJs } from './tesseract-js/find-tesseract-js.js';
import { findTesseract } from './tesseract/find-tesseract.js';

/**
 * The OCR engine of this machine: the tesseract program, else the packages of tesseract.js, else none. Finding it starts
 * processes, so each process does this once for each set of options.
 */
const found = new Map<string, Promise<OcrInstallation>>();

/** @param launch starts programs with fewer rights; always the same in one process */
export function findOcr(options: OcrOptions, launch?: ProgramLauncher): Promise<OcrInstallation> {
  const { path, dataPath, language } = options;
  const key = JSON.stringify([path, dataPath, language]);
  let installation = found.get(key);
  if (installation === undefined) {
    installation = detect(options, launch);
    found.set(key, installation);
  }
  return installation;
}

async function detect(options: OcrOptions, launch: ProgramLauncher | undefined): Promise<OcrInstallation> {
  const program = await findTesseract(options, launch);
  if (program.engine !== undefined) return program;
  const packages = findTesseractJs(options);
  if (packages.engine === undefined) {
    return { engine: undefined, remedy: `${program.remedy ?? ''} ${packages.remedy ?? ''}`.trim() };
  }
  // A program that is configured by its path and cannot be used is reported; a missing default program is not.
  return { engine: packages.engine, remedy: options.path === undefined ? packages.remedy : program.remedy };
}
