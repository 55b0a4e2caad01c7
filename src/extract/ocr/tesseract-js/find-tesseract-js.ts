import { spawn } from 'node:child_process';
import { closeSync, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { dirname, join } from 'node:path';
import { CrawlerError } from '../../../base/errors.js';
import { entryPoint } from '../../../base/entry-points.js';
import type { OcrOptions } from '../../extraction.js';
import { languagesOf, type OcrInstallation } from '../ocr-engine.js';
import { notIsolated, type IsolatedPrograms, type LaunchedProgram } from '../program-launcher.js';
import { TesseractJsEngine, type TesseractJsLauncher } from './tesseract-js-engine.js';
import type { LanguageFile } from './protocol.js';

/**
 * Finds the optional packages: `tesseract.js`, and language data in `fs.ocr.data_path` or in packages
 * `@tesseract.js-data/<language>`. They must be installed beside this program (same `node_modules`): packages in the working
 * directory are ignored, because a folder of documents must not bring code along. Nothing is ever downloaded.
 */
const require = createRequire(import.meta.url);
/** The variant of the data packages for the neural network only; a third of the size of the others. */
const PACKAGE_FOLDER = '4.0.0_best_int';

export async function findTesseractJs(options: OcrOptions, isolation?: IsolatedPrograms): Promise<OcrInstallation> {
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
  const folder = dirname(module);
  const engineWith = (launch: TesseractJsLauncher): TesseractJsEngine =>
    new TesseractJsEngine({ folder, version, languages, launch });
  if (isolation === undefined) return { engine: engineWith(plain), remedy };
  const launch = await usable(isolation, dirname(folder));
  if (launch !== undefined) return { engine: engineWith(launch), remedy };
  const warning = [notIsolated('tesseract.js', isolation), remedy].join(' ').trimEnd();
  return { engine: isolation.isRequired ? undefined : engineWith(plain), remedy: warning };
}

/** Node with the rights of this process. */
function plain(args: readonly string[]): LaunchedProgram {
  return { file: process.execPath, args, descriptors: [] };
}

const START_TIMEOUT_MS = 20_000;

/** Node as it starts where it can read nothing but this program and the packages; undefined when it does not. */
async function usable(isolation: IsolatedPrograms, packages: string): Promise<TesseractJsLauncher | undefined> {
  const module = fileURLToPath(entryPoint('tesseract-js'));
  const launch: TesseractJsLauncher = (args, folders) => {
    const isolated = isolation.launchNode(module, args, [packages, ...folders]);
    if (isolated === undefined) throw new CrawlerError('unavailable', 'tesseract.js cannot be isolated.');
    return isolated;
  };
  try {
    return (await isStarted(launch(['--version'], []))) ? launch : undefined;
  } catch {
    return undefined;
  }
}

function isStarted({ file, args, descriptors }: LaunchedProgram): Promise<boolean> {
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'ignore', ...descriptors], timeout: START_TIMEOUT_MS });
  for (const each of descriptors) closeSync(each);
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
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
