import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerProgram } from './program.js';

/** A new folder for a server that runs as somebody else than the tests, perhaps. */
export function serverFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-server-`));
  chmodSync(folder, 0o755);
  return folder;
}

/** A server program that keeps all it has in one folder, which is removed with it. */
export abstract class ServerInFolder {
  readonly folder: string;
  readonly port: number;
  protected abstract readonly program: ServerProgram;

  protected constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
  }

  /** Every connection breaks. */
  async restart(): Promise<void> {
    await this.program.restart();
  }

  async down(): Promise<void> {
    await this.program.stop();
  }

  async up(): Promise<void> {
    await this.program.start();
  }

  async stop(): Promise<void> {
    await this.program.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
