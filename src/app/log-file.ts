import { Writable } from 'node:stream';
import winston from 'winston';
// Adds `DailyRotateFile` to the transports of winston.
import 'winston-daily-rotate-file';
import { messageOf } from '../base/errors.js';
import { makeFolder } from '../base/make-folder.js';

/** A file that could not be written is opened again after this. */
const RETRY_MS = 10_000;
/** What a disk may take for the last lines. */
const LAST_LINES_MS = 2_000;

export interface LogFileOptions {
  readonly directory: string;
  /** Of the file, without its extension. */
  readonly name: string;
  /** Called once when lines begin to get lost, with a sentence. */
  readonly onLoss: (message: string) => void;
}

/**
 * The lines of a log, in a file that is rotated daily and at 20 MB. Where it cannot be written (full or read-only disk) they
 * are lost and the program continues; the file is tried again now and then.
 */
export class LogFile extends Writable {
  readonly #options: LogFileOptions;
  #file: NodeJS.WritableStream | undefined;
  #retryMs = 0;
  #isLosing = false;

  constructor(options: LogFileOptions) {
    super({ decodeStrings: false });
    this.#options = options;
    this._write('', 'utf8', () => undefined);
  }

  override _write(lines: string, _encoding: BufferEncoding, next: () => void): void {
    try {
      this.#open()?.write(lines);
    } catch (error) {
      this.#fail(error);
    }
    next();
  }

  /** Its last lines are on disk, or never will be. */
  override _final(next: () => void): void {
    if (this.#file === undefined) return next();
    const late = setTimeout(next, LAST_LINES_MS);
    this.#file.end(() => {
      clearTimeout(late);
      next();
    });
  }

  #open(): NodeJS.WritableStream | undefined {
    if (this.#file !== undefined || Date.now() < this.#retryMs) return this.#file;
    const { directory, name } = this.#options;
    makeFolder(directory, 'The folder of the logs (LOG_DIR)');
    const rotating = new winston.transports.DailyRotateFile({
      dirname: directory,
      filename: `${name}-%DATE%.log`,
      datePattern: 'YYYY-MM-DD',
      // The current file keeps a name that can be followed with `tail -F`.
      createSymlink: true,
      symlinkName: `${name}.log`,
      maxSize: '20m',
      maxFiles: 7,
      zippedArchive: true,
      auditFile: `${directory}/.${name}-audit.json`,
    });
    // The errors of the stream are not among those of what is around it.
    for (const source of [rotating, rotating.logStream]) source.on('error', (error: unknown) => this.#fail(error));
    this.#file = rotating.logStream;
    return this.#file;
  }

  #fail(error: unknown): void {
    this.#file = undefined;
    this.#retryMs = Date.now() + RETRY_MS;
    if (this.#isLosing) return;
    this.#isLosing = true;
    const { directory, name, onLoss } = this.#options;
    const why = messageOf(error).replace(/\.$/, '');
    onLoss(`The log [${directory}/${name}.log] cannot be written: ${why}. The program continues without it.`);
  }
}
