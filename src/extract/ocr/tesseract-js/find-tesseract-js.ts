import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { OcrOptions } from '../../extraction.js';
import { languagesOf, type OcrInstallation } from '../ocr-engine.js';
import { TesseractJsEngine } from './tesseract-js-engine.js';
import type { LanguageFile } from './protocol.js';

/**
 * Finds the optional packages: `tesseract.js`, and language data in `fs.ocr.data_path` or in packages
 * `@tesseract.js-data/<language>`. They must be installed beside this program (same `node_modules`): packages in the working
 * directory are ignored, because a folder of documents must not bring code along. Nothing is ever downloaded.
 */
const require = createRequire(import.meta.url);
/** The variant of the data packages for the neural network only; a third of the size of the others. */
const PACKAGE_FOLDER = '4.0.0_best_int';

export function findTesseractJs(options: OcrOptions): OcrInstallation {
  const module = resolved('tesseract.js/package.json');
  const wanted = languagesOf(options);
  const packages = wanted.map((language) => `@tesseract.js-data/${language}`);
  if (module === undefined) {
    return { engine: undefined, remedy: `Or: npm install tesseract.js ${packages.join(' ')}` };
  }
  const files = wanted.map((language) => ({ language, file: dataFile(language, options.dataPath) }));
  const languages = files.flatMap(({ file }) => file ?? []);
  const missing = files
    .filter(({ file }) => file === undefined)
    .map(({ language }) => `@tesseract.js-data/${language}`);
  const remedy = missing.length === 0 ? undefined : `tesseract.js lacks data: npm install ${missing.join(' ')}`;
  if (languages.length === 0) return { engine: undefined, remedy };
  const { version } = JSON.parse(readFileSync(module, 'utf8')) as { version: string };
  return { engine: new TesseractJsEngine({ folder: dirname(module), version, languages }), remedy };
}

function dataFile(language: string, dataPath: string | undefined): LanguageFile | undefined {
  if (dataPath !== undefined) {
    const path = [`${language}.traineddata`, `${language}.traineddata.gz`]
      .map((name) => join(dataPath, name))
      .find((each) => existsSync(each));
    if (path !== undefined) return { language, path };
  }
  // The language becomes part of a path.
  if (!/^\w+$/.test(language)) return undefined;
  const manifest = resolved(`@tesseract.js-data/${language}/package.json`);
  if (manifest === undefined) return undefined;
  const path = join(dirname(manifest), PACKAGE_FOLDER, `${language}.traineddata.gz`);
  return existsSync(path) ? { language, path } : undefined;
}

function resolved(specifier: string): string | undefined {
  try {
    return require.resolve(specifier);
  } catch {
    return undefined;
  }
}
