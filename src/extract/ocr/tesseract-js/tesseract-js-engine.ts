import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { entryPoint } from '../../../base/entry-points.js';
import { CrawlerError } from '../../../base/errors.js';
import type { OcrOptions } from '../../extraction.js';
import type { RenderedPicture } from '../../format.js';
import { hocrText } from '../hocr-text.js';
import type { OcrEngine } from '../ocr-engine.js';
import { bytesFrame, FrameReader, jsonFrame } from '../../frames/frames.js';
import type { LaunchedProgram } from '../program-launcher.js';
import { languageFolder } from './language-folder.js';
import {
  MOST_RESULT_BYTES,
  requestFrames,
  resultFrames,
  type HowToRecognise,
  type LanguageFile,
  type TesseractJsSetup,
} from './protocol.js';

type TesseractJsProcess = ChildProcessByStdio<Writable, Readable, null>;

/** Starts Node with these arguments; it must be able to read these folders. */
export type TesseractJsLauncher = (args: readonly string[], folders: readonly string[]) => LaunchedProgram;

export interface TesseractJsPackages {
  /** The folder of the package `tesseract.js`. */
  readonly folder: string;
  readonly version: string;
  readonly languages: readonly LanguageFile[];
  readonly launch: TesseractJsLauncher;
}

const MODULE = fileURLToPath(entryPoint('tesseract-js'));
/** It needs some hundred megabytes, and a second or more to start: so it waits for the next picture, but not for long. */
const IDLE_MS = 20_000;
const LONGEST_FAULT = 1_000;
const RESULT_KINDS: readonly number[] = Object.values(resultFrames);
/** Modes that detect the orientation need data that the packages do not contain; these are the same without detection. */
const MODES_WITHOUT_ORIENTATION: ReadonlyMap<number, number> = new Map([
  [1, 3],
  [12, 11],
]);

/** tesseract.js in its own process, one picture after another. */
export class TesseractJsEngine implements OcrEngine {
  readonly name = 'tesseract.js';
  readonly version: string;
  readonly languages: readonly string[];
  readonly #folder: string;
  readonly #languages: readonly LanguageFile[];
  readonly #launch: TesseractJsLauncher;
  #process: TesseractJsProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #previous: Promise<unknown> = Promise.resolve();

  constructor({ folder, version, languages, launch }: TesseractJsPackages) {
    this.version = version;
    this.languages = languages.map(({ language }) => language);
    this.#folder = folder;
    this.#languages = languages;
    this.#launch = launch;
  }

  recognise(picture: RenderedPicture, options: OcrOptions, signal: AbortSignal): Promise<string> {
    const result = this.#previous.then(() => this.#recognise(picture, options, signal));
    this.#previous = result.catch(() => undefined);
    return result;
  }

  async #recognise({ bytes, dpi }: RenderedPicture, options: OcrOptions, signal: AbortSignal): Promise<string> {
    if (signal.aborted) throw stopped();
    const mode = MODES_WITHOUT_ORIENTATION.get(options.pageSegMode) ?? options.pageSegMode;
    const text = await this.#ask(
      {
        parameters: {
          tessedit_pageseg_mode: String(mode),
          preserve_interword_spaces: options.preserveInterwordSpacing ? '1' : '0',
          // 0, the default: tesseract takes the resolution from the file, or guesses it.
          user_defined_dpi: String(dpi ?? 0),
        },
        output: options.outputType === 'hocr' ? 'hocr' : 'text',
      },
      bytes,
      signal,
    );
    return options.outputType === 'hocr' ? hocrText(text) : text;
  }

  #ask(how: HowToRecognise, picture: Uint8Array, signal: AbortSignal): Promise<string> {
    const child = (this.#process ??= this.#start());
    clearTimeout(this.#idle);
    setReferenced(child, true);
    return new Promise((resolve, reject) => {
      const frames = new FrameReader((kind) => (RESULT_KINDS.includes(kind) ? MOST_RESULT_BYTES : undefined));
      const settle = (): void => {
        child.stdout.off('data', onData);
        child.off('close', onClose);
        signal.removeEventListener('abort', onAbort);
      };
      const onData = (chunk: Buffer): void => {
        const result = resultIn(frames, chunk);
        if (result === undefined) return;
        settle();
        if (result === 'invalid') onAbort();
        else this.#endWhenIdle(child);
        if (typeof result === 'object' && 'text' in result) resolve(result.text);
        else
          reject(result === 'invalid' ? ended() : new CrawlerError('corrupt', `tesseract.js failed: ${result.fault}`));
      };
      const onClose = (): void => {
        settle();
        reject(signal.aborted ? stopped() : ended());
      };
      const onAbort = (): boolean => child.kill('SIGKILL');
      child.stdout.on('data', onData);
      child.on('close', onClose);
      signal.addEventListener('abort', onAbort);
      child.stdin.write(jsonFrame(requestFrames.how, how));
      for (const piece of bytesFrame(requestFrames.picture, picture)) child.stdin.write(piece);
    });
  }

  #start(): TesseractJsProcess {
    const folder = languageFolder(this.#languages);
    const setup: TesseractJsSetup = {
      folder: this.#folder,
      languages: this.languages,
      data: folder.path,
      isPacked: folder.isPacked,
    };
    const places = [folder.path, ...this.#languages.map(({ path }) => dirname(path))];
    const { file, args, descriptors } = this.#launch([MODULE, JSON.stringify(setup)], places);
    const child = spawn(file, args, {
      stdio: ['pipe', 'pipe', 'ignore', ...descriptors],
      windowsHide: true,
    }) as TesseractJsProcess;
    for (const each of descriptors) closeSync(each);
    const forget = (): void => {
      folder.remove();
      if (this.#process === child) this.#process = undefined;
    };
    // The data are loaded before the first answer.
    child.stdout.once('data', () => folder.remove());
    child.stdin.on('error', () => undefined);
    child.on('exit', forget);
    child.on('error', forget);
    return child;
  }

  /** An idle process must not keep this one alive. */
  #endWhenIdle(child: TesseractJsProcess): void {
    this.#idle = setTimeout(() => child.kill('SIGKILL'), IDLE_MS);
    this.#idle.unref();
    setReferenced(child, false);
  }
}

function setReferenced(child: TesseractJsProcess, isReferenced: boolean): void {
  const sockets = [child.stdin, child.stdout].filter((each) => each instanceof Socket);
  for (const each of [child, ...sockets]) {
    if (isReferenced) each.ref();
    else each.unref();
  }
}

type Result = { readonly text: string } | { readonly fault: string };

/** Undefined until it is complete. */
function resultIn(frames: FrameReader, chunk: Buffer): Result | 'invalid' | undefined {
  try {
    frames.add(chunk);
    const frame = frames.next();
    if (frame === undefined) return undefined;
    const text = frame.bytes.toString();
    return frame.kind === resultFrames.text ? { text } : { fault: text.slice(0, LONGEST_FAULT) };
  } catch {
    return 'invalid';
  }
}

function ended(): CrawlerError {
  return new CrawlerError('unavailable', 'tesseract.js ended unexpectedly.');
}

function stopped(): CrawlerError {
  return new CrawlerError('cancelled', 'The recognition of text was stopped.');
}
