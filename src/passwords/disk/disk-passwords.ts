import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import { baseName, isWithin, virtualPath } from '../../base/path.js';
import type { PasswordProvider } from '../passwords.js';

/** A longer file is a mistake: only its beginning is looked at. */
const MAX_BYTES = 64 * 1024;

/**
 * Passwords in files beside the documents. For `a/b/f.pdf` below the root: `a/b/f.pdf.password`, then `.password` in
 * `a/b`, in `a`, and in the root. The first line that is not empty counts, trimmed. The crawler never indexes these files.
 */
export class DiskPasswords implements PasswordProvider {
  readonly type = 'disk';
  readonly #root: string;
  readonly #documentRoot: string;
  readonly #logger: Logger;

  /**
   * @param root folder of the password files
   * @param documentRoot folder of the documents (`fs.url`), whose layout the password files mirror
   */
  constructor(root: string, documentRoot: string, logger: Logger) {
    this.#root = root;
    this.#documentRoot = documentRoot;
    this.#logger = logger;
  }

  async candidates(path: string): Promise<readonly string[]> {
    const found: string[] = [];
    for (const file of this.#filesFor(path)) {
      const password = await this.#read(file);
      if (password !== undefined) found.push(password);
    }
    return found;
  }

  /** From the most to the least specific. A document from elsewhere (an upload) only has the root's files. */
  #filesFor(path: string): string[] {
    const inside = isWithin(this.#documentRoot, path);
    const parts = inside ? virtualPath(this.#documentRoot, path).split(/[/\\]/).filter(Boolean) : [baseName(path)];
    if (parts.includes('..')) return [join(this.#root, '.password')];
    const files = [join(this.#root, `${parts.join('/')}.password`)];
    for (let depth = parts.length - 1; depth >= 0; depth -= 1) {
      files.push(join(this.#root, ...parts.slice(0, depth), '.password'));
    }
    return files;
  }

  async #read(file: string): Promise<string | undefined> {
    try {
      if (!(await stat(file)).isFile()) {
        this.#logger.warn(`Password candidate [${file}] is not a regular file; skipping.`);
        return undefined;
      }
      return firstLineOf(await readHead(file));
    } catch (error) {
      if (systemCode(error) !== 'ENOENT' && systemCode(error) !== 'ENOTDIR') {
        this.#logger.warn(`Password candidate [${file}] cannot be read; skipping.`);
      }
      return undefined;
    }
  }
}

async function readHead(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(MAX_BYTES), position: 0 });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function firstLineOf(text: string): string | undefined {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .find((line) => line !== '');
}
