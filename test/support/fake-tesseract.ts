import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OcrOptions } from '../../src/extract/extraction.js';

/** What a person has who never touched a setting, but for the strategy of new jobs. */
export const ocrOn: OcrOptions = {
  enabled: true,
  language: 'eng',
  path: undefined,
  dataPath: undefined,
  outputType: 'txt',
  pdfStrategy: 'auto',
  pageSegMode: 1,
  preserveInterwordSpacing: false,
  pageTimeoutMs: 60_000,
  documentTimeoutMs: 1_800_000,
};

/**
 * A program that behaves like tesseract on the command line, but does as it is told with each picture: a line of shell,
 * such as `echo words` or `exec sleep 60`. It notes its arguments and its process in a file.
 */
export class FakeTesseract {
  readonly path: string;
  readonly #calls: string;

  constructor(folder: string, deed: string, { version = '5.9.9', languages = ['eng', 'osd'] } = {}) {
    this.path = join(folder, 'tesseract');
    this.#calls = join(folder, 'calls');
    writeFileSync(
      this.path,
      `#!/bin/sh
case "$*" in
  *--version*) echo "tesseract ${version}" ;;
  *--list-langs*) printf 'List of available languages (${languages.length}):\\n${languages.join('\\n')}\\n' ;;
  *) echo "$$ $OMP_THREAD_LIMIT $*" >> "${this.#calls}"; cat > /dev/null; ${deed} ;;
esac
`,
    );
    chmodSync(this.path, 0o755);
  }

  get options(): OcrOptions {
    return { ...ocrOn, path: this.path };
  }

  /** Process, thread limit and arguments of each picture so far. */
  get calls(): readonly { readonly pid: number; readonly threads: string; readonly args: string }[] {
    if (!existsSync(this.#calls)) return [];
    const lines = readFileSync(this.#calls, 'utf8').trimEnd().split('\n');
    return lines.map((line) => {
      const [pid = '', threads = '', ...args] = line.split(' ');
      return { pid: Number(pid), threads, args: args.join(' ') };
    });
  }
}
