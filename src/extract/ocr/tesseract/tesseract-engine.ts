import { CrawlerError } from '../../../base/errors.js';
import type { OcrOptions } from '../../extraction.js';
import type { RenderedPicture } from '../../format.js';
import { hocrText } from '../hocr-text.js';
import type { OcrEngine } from '../ocr-engine.js';
import type { LaunchedProgram } from '../program-launcher.js';
import { plain, runTesseract, type TesseractOutcome } from './run-tesseract.js';

export interface TesseractProgram {
  readonly program: string;
  /** Options with the folder of the language data. */
  readonly data: readonly string[];
  readonly version: string;
  readonly languages: readonly string[];
  /** Starts it with fewer rights, where that is possible. */
  readonly launcher: ((args: readonly string[]) => LaunchedProgram) | undefined;
}

/** The tesseract program of this machine: one process per picture. */
export class TesseractEngine implements OcrEngine {
  readonly name = 'tesseract';
  readonly version: string;
  readonly languages: readonly string[];
  readonly #launch: (args: readonly string[]) => LaunchedProgram;
  readonly #data: readonly string[];

  constructor({ program, data, version, languages, launcher }: TesseractProgram) {
    this.version = version;
    this.languages = languages;
    this.#launch = launcher ?? ((args) => plain(program, args));
    this.#data = data;
  }

  async recognise({ bytes, dpi }: RenderedPicture, options: OcrOptions, signal: AbortSignal): Promise<string> {
    const args = [
      ...['stdin', 'stdout', ...this.#data, '-l', this.languages.join('+'), '--psm', String(options.pageSegMode)],
      ...(dpi === undefined ? [] : ['--dpi', String(dpi)]),
      // Pages of one file are separated by blank lines, not by form feeds.
      ...['-c', 'page_separator='],
      ...['-c', `preserve_interword_spaces=${options.preserveInterwordSpacing ? 1 : 0}`],
      ...(options.outputType === 'hocr' ? ['hocr'] : []),
    ];
    const { code, output, stderr } = await this.#run(args, bytes, signal);
    if (code !== 0)
      throw new CrawlerError('corrupt', `tesseract ended with ${code ?? 'a signal'}: ${firstFault(stderr)}`);
    return options.outputType === 'hocr' ? hocrText(output) : output;
  }

  /** A page that was being read when a supervisor stopped every process of the service is read once more. */
  async #run(args: readonly string[], bytes: Uint8Array, signal: AbortSignal): Promise<TesseractOutcome> {
    const outcome = await runTesseract(this.#launch(args), bytes, signal);
    const isStopped = outcome.signal !== null && STOP_SIGNALS.includes(outcome.signal);
    return isStopped ? await runTesseract(this.#launch(args), bytes, signal) : outcome;
  }
}

const STOP_SIGNALS: readonly string[] = ['SIGHUP', 'SIGINT', 'SIGTERM'];

/** The first line that reports an error; remarks about resolution and orientation are skipped. */
function firstFault(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  return lines.find((line) => /error|cannot|fail|unsupported|could ?n/i.test(line)) ?? lines[0] ?? '';
}
