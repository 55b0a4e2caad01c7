import { basename, resolve } from 'node:path';
import { isWithin, virtualPath } from '../../base/path.js';
import { CrawlerError } from '../../base/errors.js';
import type { FetchOpener, FetchParameters, FetchTarget } from '../fetch.js';
import { requiredText } from '../fetch-parameters.js';
import { ContainedFile } from './contained-file.js';

/** `{"type":"local","local":{"url":…}}`: a file below `fs.url`, by absolute path or relative to it. */
export class LocalFetch implements FetchOpener {
  readonly type = 'local';
  readonly #root: string | undefined;

  /** @param root undefined when the job crawls another machine, or nothing */
  constructor(root: string | undefined) {
    this.#root = root === undefined ? undefined : resolve(root);
  }

  async open(parameters: FetchParameters): Promise<FetchTarget> {
    const url = requiredText('local', parameters, 'url', 'Local URL is missing');
    if (this.#root === undefined) {
      throw new CrawlerError(
        'unsupported',
        'Files can be fetched by path only when fs.url is a folder of this machine',
      );
    }
    const path = resolve(this.#root, url);
    if (url.includes('\0')) throw new CrawlerError('usage', 'The path of the file holds a NUL character');
    if (!isWithin(this.#root, path)) throw new CrawlerError('denied', `File ${url} is not within ${this.#root}`);
    const file = await ContainedFile.open({ root: this.#root, path, asked: url });
    const filename = basename(path);
    return {
      entry: file.entry,
      content: { kind: 'stream', open: () => Promise.resolve(file.read()) },
      place: { filename, real: path, virtual: virtualPath(this.#root, path) },
      close: () => file.close(),
    };
  }
}
