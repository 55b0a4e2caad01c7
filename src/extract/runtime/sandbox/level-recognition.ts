import type { Picture, TextRecognition } from '../../format.js';
import type { DocumentOcr } from '../../ocr/document-ocr.js';
import type { Level } from './level.js';
import type { DocumentState } from './document-state.js';

export interface RecognitionReports {
  warn(message: string): void;
  /** Called once, with the first text that it gave. */
  usedEngine(name: string): void;
}

/** Recognition as one level of a document sees it: its warnings and the engine's name go where that level keeps them. */
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
    this.#state.allowance.pause();
    try {
      return await this.#ocr.recognise(picture, (message) => this.#reports.warn(message));
    } finally {
      this.#state.allowance.resume();
    }
  }

  get #ocr(): DocumentOcr {
    return this.#state.ocr;
  }
}

/** The small picture of itself that an office document carries says what its text says, only worse. */
function isThumbnail({ depth, path }: Level): boolean {
  return depth > 0 && /(?:^|\/)thumbnail\.\w+$/i.test(path);
}
