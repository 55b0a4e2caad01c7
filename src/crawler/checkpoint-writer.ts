import type { Clock } from '../base/clock.js';
import { messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { Checkpoint, CheckpointStore } from '../state/checkpoint.js';

export interface CheckpointWriterDeps {
  readonly checkpoints: CheckpointStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Checkpoint intervals while a scan is running, whichever comes first. */
const CHECKPOINT_FILES = 100;
const CHECKPOINT_MS = 2000;

/** Saves the checkpoint, one save after the other: the last one wins. A failing save is reported, the crawl continues. */
export class CheckpointWriter {
  readonly #deps: CheckpointWriterDeps;
  #savedFiles = 0;
  #savedMs = 0;
  #saving: Promise<void> = Promise.resolve();

  constructor(deps: CheckpointWriterDeps) {
    this.#deps = deps;
  }

  /** Resolves when nothing is being saved. */
  get settled(): Promise<void> {
    return this.#saving;
  }

  /** A scan begins, and counts its files from zero. */
  restart(): void {
    this.#savedFiles = 0;
  }

  /** Whether a scan that has come this far should be saved. */
  isDue(files: number): boolean {
    return this.#deps.clock.now() - this.#savedMs >= CHECKPOINT_MS || files - this.#savedFiles >= CHECKPOINT_FILES;
  }

  save(checkpoint: Checkpoint): Promise<void> {
    const { checkpoints, clock, logger } = this.#deps;
    this.#savedFiles = checkpoint.files_processed;
    this.#savedMs = clock.now();
    this.#saving = this.#saving
      .then(() => checkpoints.save(checkpoint))
      .catch((error: unknown) => logger.warn(`Failed to save checkpoint: ${messageOf(error)}`));
    return this.#saving;
  }

  /** A checkpoint that cannot be read is put aside: the catalog knows the tree, the file only where a run stood. */
  async load(): Promise<Checkpoint | undefined> {
    const { checkpoints, logger } = this.#deps;
    try {
      return await checkpoints.load();
    } catch (error) {
      const aside = await checkpoints.setAside();
      logger.warn(
        `${messageOf(error)} It was renamed to [${aside}]; the next scan starts at the root. Nothing is lost.`,
      );
      return undefined;
    }
  }
}
