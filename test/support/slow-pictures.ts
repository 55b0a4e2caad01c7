import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeTesseract } from './fake-tesseract.js';
import { isAlive } from './misbehaving-sandbox.js';
import { pictureOfText, toPng } from './picture-of-text.js';

/** Pictures whose recognition takes as long as a test wants, in a folder of documents. */
export class SlowPictures {
  readonly #program: FakeTesseract;

  private constructor(program: FakeTesseract) {
    this.#program = program;
  }

  /** @param deed what is done with each picture, a line of shell such as `sleep 60` or `sleep 1; echo words` */
  static async make(
    folder: string,
    programFolder: string,
    names: readonly string[],
    deed: string,
  ): Promise<SlowPictures> {
    const png = toPng(await pictureOfText('Scanned words'));
    // Equal files are extracted once.
    for (const [at, name] of names.entries())
      writeFileSync(join(folder, name), Buffer.concat([png, Buffer.alloc(at + 1)]));
    return new SlowPictures(new FakeTesseract(programFolder, deed));
  }

  /** `$0` of the deed. */
  get path(): string {
    return this.#program.path;
  }

  /** For the command line. */
  get settings(): string[] {
    return ['--set', `fs.ocr.path=${this.#program.path}`, '--set', 'extractor.processes=2'];
  }

  /** How many were begun. */
  get begun(): number {
    return this.#program.calls.length;
  }

  /** Programs that read a picture at this moment, and the extraction processes that have started them. */
  get processes(): number[] {
    const programs = this.#program.calls.map(({ pid }) => pid).filter(isAlive);
    return [...programs, ...new Set(programs.flatMap(parentOf))];
  }
}

function parentOf(pid: number): number[] {
  try {
    const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return parent === undefined ? [] : [Number(parent)];
  } catch {
    return [];
  }
}
