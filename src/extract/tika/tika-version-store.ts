import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * `_tika.json` in the job's folder: the version of the Tika server that a job with `extractor.provider: auto` saw last. The
 * version is part of what decides about extracting known documents again; a server that happens to be away at start must not
 * look like another version.
 */
export class TikaVersionStore {
  readonly #path: string;

  constructor(jobDirectory: string) {
    this.#path = join(jobDirectory, '_tika.json');
  }

  /** Undefined when no server was ever seen, and when the file cannot be read. */
  async version(): Promise<string | undefined> {
    try {
      const seen = JSON.parse(await readFile(this.#path, 'utf8')) as unknown;
      const version = typeof seen === 'object' && seen !== null && 'version' in seen ? seen.version : undefined;
      return typeof version === 'string' ? version : undefined;
    } catch {
      return undefined;
    }
  }

  async remember(version: string): Promise<void> {
    const temporary = `${this.#path}.tmp`;
    await writeFile(temporary, `${JSON.stringify({ version })}\n`);
    await rename(temporary, this.#path);
  }
}
