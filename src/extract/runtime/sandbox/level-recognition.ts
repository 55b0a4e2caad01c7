import type { Picture, TextRecognition } from '../../format.js';
import type { DocumentOcr } from '../../ocr/document-ocr.js';
import type { Level } from './level.js';
import type { DocumentState } from './document-state.js';

export interface RecognitionReports {
  warn(message: string): void;
  /** Called once, with the first recognised text. */
  usedEngine(name: string): void;
}

/** OCR for one level of a document: warnings and the name of the engine become part of that level. */
export class LevelRecognition implements TextRecognition {
  readonly #state: DocumentState;
  readonly #level: Level;
  readonly #reports: RecognitionReports;
  #isReported = false;

  constructor(state: DocumentState, level: Level, reports: RecognitionReports) {
    this.#state = state;
    this.#level = level;
    this.#reports = reports;
  }

  get atOnce(): number {
    return this.#ocr.atOnce;
  }

  async ready(): Promise<boolean> {
    if (this.#state.text.full || isThumbnail(this.#level)) return false;
    return (await this.#ocr.engine()) !== undefined;
  }

  async recognise(picture: Picture): Promise<string | undefined> {
    const text = await this.#waitFor(picture);
    if (text !== undefined && !this.#isReported) {
      this.#isReported = true;
      const engine = await this.#ocr.engine();
      if (engine !== undefined) this.#reports.usedEngine(engine.name);
    }
    return text;
  }

  async #waitFor(picture: Picture): Promise<string | undefined> {
    this.#state.budget.pause();
    try {
      return await this.#ocr.recognise(picture, (message) => this.#reports.warn(message));
    } finally {
      this.#state.budget.resume();
    }
  }

  get #ocr(): DocumentOcr {
    return this.#state.ocr;
  }
}

/** The thumbnail of an office document shows nothing that is not in its text. */
function isThumbnail({ depth, path }: Level): boolean {
  return depth > 0 && /(?:^|\/)thumbnail\.\w+$/i.test(path);
}
