import { existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, join, resolve, sep } from 'node:path';
import { CrawlerError, messageOf } from '../../../base/errors.js';
import type { OcrOptions } from '../../extraction.js';
import { languagesOf, type OcrInstallation } from '../ocr-engine.js';
import { notIsolated, type IsolatedPrograms, type LaunchedProgram } from '../program-launcher.js';
import { plain, runTesseract } from './run-tesseract.js';
import { TesseractEngine } from './tesseract-engine.js';

/** Older versions have other options and no neural network. */
const OLDEST_MAJOR = 4;
const START_TIMEOUT_MS = 10_000;

/** Finds the tesseract program and the languages for which it has data. */
export async function findTesseract(options: OcrOptions, isolation?: IsolatedPrograms): Promise<OcrInstallation> {
  const program = programOf(options.path);
  const data = options.dataPath === undefined ? [] : ['--tessdata-dir', options.dataPath];
  let version: string | undefined;
  let installed: ReadonlySet<string>;
  try {
    const commands = [ask(program, ['--version']), ask(program, [...data, '--list-langs'])] as const;
    const [about, list] = await Promise.all(commands);
    version = versionIn(about);
    installed = languagesIn(list);
  } catch (error) {
    return { engine: undefined, remedy: notFound(options.path, messageOf(error)) };
  }
  if (version === undefined || Number.parseInt(version, 10) < OLDEST_MAJOR) {
    return {
      engine: undefined,
      remedy: `[${program}] is tesseract ${version ?? 'of an unknown version'}; version ${OLDEST_MAJOR} or newer is needed.`,
    };
  }
  const wanted = languagesOf(options);
  const languages = wanted.filter((language) => installed.has(language));
  const missing = wanted.filter((language) => !installed.has(language));
  const remedy = missing.length === 0 ? undefined : languagesMissing(missing, options.dataPath);
  if (languages.length === 0) return { engine: undefined, remedy: remedy ?? 'fs.ocr.language names no language.' };
  const launcher = await usable(isolation, program, data, installed);
  const engine = new TesseractEngine({ program, data, version, languages, launcher });
  if (isolation === undefined || launcher !== undefined) return { engine, remedy };
  const warning = [notIsolated(`tesseract [${program}]`, isolation), remedy].join(' ').trimEnd();
  return { engine: isolation.isRequired ? undefined : engine, remedy: warning };
}

/** The program as the launcher starts it, when it finds the same languages so. */
async function usable(
  isolation: IsolatedPrograms | undefined,
  program: string,
  data: readonly string[],
  installed: ReadonlySet<string>,
): Promise<((args: readonly string[]) => LaunchedProgram) | undefined> {
  const path = isolation === undefined ? undefined : absolutePathOf(program);
  if (isolation === undefined || path === undefined) return undefined;
  const folders = [...data.slice(1), process.env['TESSDATA_PREFIX'] ?? ''].filter((folder) => folder !== '');
  const launched = (args: readonly string[]): LaunchedProgram => {
    const isolated = isolation.launch(path, args, folders);
    if (isolated === undefined) throw new CrawlerError('unavailable', `[${path}] cannot be isolated.`);
    return isolated;
  };
  try {
    const signal = AbortSignal.timeout(START_TIMEOUT_MS);
    const { output, stderr } = await runTesseract(launched([...data, '--list-langs']), undefined, signal);
    const found = languagesIn(`${output}\n${stderr}`);
    return [...installed].every((language) => found.has(language)) ? launched : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined when it is nowhere on the PATH. */
function absolutePathOf(program: string): string | undefined {
  const folders = program.includes(sep) ? [''] : (process.env['PATH'] ?? '').split(delimiter);
  const paths = folders.map((folder) => resolve(folder, program));
  return paths.flatMap((path) => (existsSync(path) ? [realpathSync(path)] : []))[0];
}

/** `fs.ocr.path` is the program or the folder that contains it. */
function programOf(path: string | undefined): string {
  if (path === undefined) return 'tesseract';
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? join(path, process.platform === 'win32' ? 'tesseract.exe' : 'tesseract') : path;
}

/** Some versions answer on standard error. */
async function ask(program: string, args: readonly string[]): Promise<string> {
  const { output, stderr } = await runTesseract(plain(program, args), undefined, AbortSignal.timeout(START_TIMEOUT_MS));
  return `${output}\n${stderr}`;
}

function versionIn(answer: string): string | undefined {
  return /^tesseract v?(\d+(?:\.\d+)*)/m.exec(answer)?.[1];
}

/** A headline, then one name per line. Names of scripts contain a slash. */
function languagesIn(answer: string): ReadonlySet<string> {
  return new Set(answer.split(/\r?\n/).filter((line) => /^[\w/-]+$/.test(line)));
}

function notFound(path: string | undefined, why: string): string {
  if (path === undefined) {
    return 'tesseract is not installed (Debian: apt-get install tesseract-ocr), or not on the PATH: set fs.ocr.path.';
  }
  if (!existsSync(path)) return `fs.ocr.path: [${path}] does not exist.`;
  return `fs.ocr.path: [${path}] contains no tesseract that can be run (${why}).`;
}

function languagesMissing(missing: readonly string[], dataPath: string | undefined): string {
  const where = dataPath === undefined ? '' : ` in [${dataPath}]`;
  const packages = missing.map((language) => `tesseract-ocr-${language.replaceAll('_', '-')}`).join(' ');
  return `tesseract has no data for the language [${missing.join('+')}]${where} (Debian: apt-get install ${packages}).`;
}
