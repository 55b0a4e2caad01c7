import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { entryPoint } from '../../../base/entry-points.js';
import { CrawlerError } from '../../../base/errors.js';
import type { OcrOptions } from '../../extraction.js';
import type { RenderedPicture } from '../../format.js';
import { hocrText } from '../hocr-text.js';
import type { OcrEngine } from '../ocr-engine.js';
import type { FromTesseractJs, LanguageFile, ToTesseractJs } from './protocol.js';

export interface TesseractJsPackages {
  /** The folder of the package `tesseract.js`. */
  readonly folder: string;
  readonly version: string;
  readonly languages: readonly LanguageFile[];
}

const MODULE = fileURLToPath(entryPoint('tesseract-js'));
/** It needs some hundred megabytes, and a second or more to start: so it waits for the next picture, but not for long. */
const IDLE_MS = 20_000;
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
  readonly #setup: string;
  #process: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #previous: Promise<unknown> = Promise.resolve();

  constructor({ folder, version, languages }: TesseractJsPackages) {
    this.version = version;
    this.languages = languages.map(({ language }) => language);
    this.#setup = JSON.stringify({ folder, languages });
  }

  recognise(picture: RenderedPicture, options: OcrOptions, signal: AbortSignal): Promise<string> {
    const result = this.#previous.then(() => this.#recognise(picture, options, signal));
    this.#previous = result.catch(() => undefined);
    return result;
  }

  async #recognise({ bytes, dpi }: RenderedPicture, options: OcrOptions, signal: AbortSignal): Promise<string> {
    if (signal.aborted) throw stopped();
    const mode = MODES_WITHOUT_ORIENTATION.get(options.pageSegMode) ?? options.pageSegMode;
    const answer = await this.#ask(
      {
        bytes,
        parameters: {
          tessedit_pageseg_mode: String(mode),
          preserve_interword_spaces: options.preserveInterwordSpacing ? '1' : '0',
          // 0, the default: tesseract takes the resolution from the file, or guesses it.
          user_defined_dpi: String(dpi ?? 0),
        },
        output: options.outputType === 'hocr' ? 'hocr' : 'text',
      },
      signal,
    );
    if ('fault' in answer) throw new CrawlerError('corrupt', `tesseract.js failed: ${answer.fault}`);
    return options.outputType === 'hocr' ? hocrText(answer.text) : answer.text;
  }

  #ask(message: ToTesseractJs, signal: AbortSignal): Promise<FromTesseractJs> {
    const child = (this.#process ??= this.#start());
    clearTimeout(this.#idle);
    child.ref();
    child.channel?.ref();
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        child.off('message', onMessage);
        child.off('exit', onExit);
        signal.removeEventListener('abort', onAbort);
      };
      const onMessage = (answer: FromTesseractJs): void => {
        settle();
        this.#endWhenIdle(child);
        resolve(answer);
      };
      const onExit = (): void => {
        settle();
        reject(signal.aborted ? stopped() : new CrawlerError('unavailable', 'tesseract.js ended unexpectedly.'));
      };
      const onAbort = (): boolean => child.kill('SIGKILL');
      child.on('message', onMessage);
      child.on('exit', onExit);
      signal.addEventListener('abort', onAbort);
      child.send(message, () => undefined);
    });
  }

  #start(): ChildProcess {
    // Its output is of no interest: remarks about every picture.
    const child = fork(MODULE, [this.#setup], { serialization: 'advanced', execArgv: [], stdio: 'ignore' });
    const forget = (): void => {
      if (this.#process === child) this.#process = undefined;
    };
    child.on('exit', forget);
    child.on('error', forget);
    return child;
  }

  /** An idle process must not keep this one alive. */
  #endWhenIdle(child: ChildProcess): void {
    this.#idle = setTimeout(() => child.kill('SIGKILL'), IDLE_MS);
    this.#idle.unref();
    child.unref();
    child.channel?.unref();
  }
}

function stopped(): CrawlerError {
  return new CrawlerError('cancelled', 'The recognition of text was stopped.');
}
