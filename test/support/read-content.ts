import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { toFsPath } from '../../src/base/path.js';
import type { FileContent } from '../../src/source/content.js';

/** All bytes of a content, wherever they are. */
export async function readContent(
  content: FileContent,
  signal: AbortSignal = new AbortController().signal,
): Promise<Buffer> {
  switch (content.kind) {
    case 'path':
      return await readFile(toFsPath(content.path), { signal });
    case 'bytes':
      return Buffer.from(content.bytes);
    case 'stream':
      return await buffer(await content.open(signal));
  }
}
