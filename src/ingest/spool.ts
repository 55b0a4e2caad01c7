import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { diskFull, isDiskFull } from '../base/disk-full.js';
import { makeFolder } from '../base/make-folder.js';
import type { ExtractionContent } from '../extract/index.js';

/** Bytes of a remote file, held in memory when few and in a temporary file otherwise. */
export interface Spooled {
  readonly content: ExtractionContent;
  readonly size: number;
  /** Removes the temporary file. Call it whatever happened. */
  release(): Promise<void>;
}

const IN_MEMORY = 65_536;

/** A stream that could not be spooled is destroyed: whatever it reads from is free again. */
export async function spool(stream: Readable, directory: string, signal: AbortSignal): Promise<Spooled> {
  try {
    return await spoolWhole(stream, directory, signal);
  } catch (error) {
    stream.destroy();
    throw error;
  }
}

async function spoolWhole(stream: Readable, directory: string, signal: AbortSignal): Promise<Spooled> {
  const head: Buffer[] = [];
  let length = 0;
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  while (length <= IN_MEMORY) {
    const next = await chunks.next();
    if (next.done === true) return inMemory(Buffer.concat(head));
    head.push(next.value);
    length += next.value.length;
  }
  return await inFile(head, chunks, directory, signal);
}

function inMemory(bytes: Buffer): Spooled {
  return { content: { kind: 'bytes', bytes }, size: bytes.length, release: () => Promise.resolve() };
}

async function inFile(
  head: readonly Buffer[],
  rest: AsyncIterator<Buffer>,
  directory: string,
  signal: AbortSignal,
): Promise<Spooled> {
  makeFolder(directory, 'The folder for temporary files (fs.temp_dir)');
  const path = join(directory, `crawler-${randomUUID()}.tmp`);
  const file = createWriteStream(path, { mode: 0o600 });
  const release = (): Promise<void> => rm(path, { force: true });
  try {
    await pipeline(joined(head, rest), file, { signal });
  } catch (error) {
    await release();
    throw isDiskFull(error) ? diskFull(directory, error, 'It is fs.temp_dir.') : error;
  }
  return { content: { kind: 'path', path }, size: file.bytesWritten, release };
}

const ABANDONED_MS = 24 * 3_600_000;

/** Removes what a killed process left behind. The folder may be shared with other jobs, so only old files are taken. */
export async function sweepSpool(directory: string, nowMs: number): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names.filter((each) => /^crawler-[0-9a-f-]{36}\.tmp$/.test(each))) {
    const path = join(directory, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats !== undefined && nowMs - stats.mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}

async function* joined(head: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* head;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}
