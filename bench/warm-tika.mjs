// A Tika server as a measure for extraction: the usual Java settings of a server that lives long, and warm.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { startTika } from '../test/engines/start-tika.mjs';

export class WarmTika {
  #server;

  constructor(server) {
    this.#server = server;
  }

  static async start() {
    return new WarmTika(await startTika({ watched: true, livesLong: true }));
  }

  /** Of the process that watches the one that works. */
  get pid() {
    return this.#server.pids()[0];
  }

  /** Extracts all files, so many at a time; resolves with seconds, and milliseconds for each file. */
  async through(files, streams) {
    const results = [];
    const queue = files.entries();
    const beganAt = performance.now();
    await Promise.all(
      Array.from({ length: streams }, async () => {
        for (const [at, path] of queue) {
          const since = performance.now();
          await this.textOf(path);
          results[at] = { ms: performance.now() - since };
        }
      }),
    );
    return { seconds: (performance.now() - beganAt) / 1000, results };
  }

  /** All text of a document and the parts inside it. */
  async textOf(path) {
    const name = encodeURIComponent(basename(path)).replaceAll("'", '%27');
    const response = await fetch(`${this.#server.url}/rmeta/body`, {
      method: 'PUT',
      headers: { 'content-disposition': `attachment; filename*=UTF-8''${name}`, 'X-Tika-OCRskipOcr': 'true' },
      body: readFileSync(path),
    });
    const parts = response.ok ? await response.json() : [];
    return parts.map((part) => part['X-TIKA:content'] ?? '').join('\n');
  }

  async stop() {
    await this.#server.kill();
  }
}
