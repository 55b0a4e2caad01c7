import { pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { CrawlerError } from '../../base/errors.js';
import type { Entry } from '../../model/entry.js';
import { LinkedSignal } from '../deadline.js';
import { fileNameOfDisposition, toFileName } from '../file-name.js';
import type { Spool, SpooledFile } from '../spool.js';
import { bodyError, getFollowing, percentDecoded, shown } from './http-request.js';
import type { HttpAnswer, HttpRequestOptions } from './http-request.js';

export interface HttpDocumentOptions extends HttpRequestOptions {
  readonly spool: Spool;
  readonly maxBytes: number;
  /** For the whole fetch, redirects and body. */
  readonly totalMs: number;
}

export interface HttpDocument {
  readonly entry: Entry;
  /** The caller removes it. */
  readonly file: SpooledFile;
}

/**
 * The document behind a URL. It is spooled, so that what is extracted is complete, has a known size and was within the
 * limit, before anything is indexed.
 *
 * The name of the document is that of Content-Disposition, else the last part of the path where the redirects ended,
 * else `index.html`.
 */
export async function fetchHttpDocument(
  url: URL,
  options: HttpDocumentOptions,
  signal: AbortSignal,
): Promise<HttpDocument> {
  // A timer of its own: Node may collect the signals of `AbortSignal.timeout` before they fire.
  const fetching = new LinkedSignal(signal);
  const timer = setTimeout(() => fetching.abort(takesTooLong(url)), options.totalMs);
  try {
    return await fetchDocument(url, options, fetching.signal);
  } finally {
    clearTimeout(timer);
    fetching.release();
  }
}

async function fetchDocument(url: URL, options: HttpDocumentOptions, signal: AbortSignal): Promise<HttpDocument> {
  const answer = await getFollowing(url, options, signal);
  try {
    refuseTooLarge(answer, options.maxBytes);
    const file = await options.spool.receive(decoded(answer), { limit: options.maxBytes });
    return { file, entry: entryOf(answer, url, file.size) };
  } catch (error) {
    throw bodyError(answer.url, error, signal);
  } finally {
    answer.close();
  }
}

function refuseTooLarge({ headers, url }: HttpAnswer, maxBytes: number): void {
  const announced = Number(headers['content-length'] ?? 0);
  if (announced <= maxBytes) return;
  throw new CrawlerError('too_large', `${shown(url)} has ${announced} bytes; at most ${maxBytes} bytes are fetched`);
}

function takesTooLong(url: URL): CrawlerError {
  return new CrawlerError('timed_out', `The fetch of ${shown(url)} takes too long`);
}

/** The body as it was before the server compressed it. We ask for `identity`, but servers exist that do not care. */
function decoded({ headers, body, url }: HttpAnswer): Readable {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const stage = stageOf(encoding);
  if (stage === 'plain') return body;
  if (stage === undefined) {
    throw new CrawlerError(
      'unsupported',
      `${shown(url)} comes with the content encoding [${encoding}], which is not supported`,
    );
  }
  return pipeline(body, stage, () => undefined);
}

function stageOf(encoding: string): (NodeJS.ReadWriteStream & Readable) | 'plain' | undefined {
  switch (encoding) {
    case 'identity':
    case '':
      return 'plain';
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}

function entryOf({ headers, url }: HttpAnswer, asked: URL, size: number): Entry {
  const disposition = headers['content-disposition'];
  const modified = Date.parse(headers['last-modified'] ?? '');
  return {
    name:
      (disposition === undefined ? undefined : fileNameOfDisposition(disposition)) ??
      nameOf(url) ??
      nameOf(asked) ??
      'index.html',
    path: asked.href,
    kind: 'file',
    size,
    modifiedMs: Number.isNaN(modified) ? undefined : modified,
    changedMs: undefined,
    createdMs: undefined,
    accessedMs: undefined,
    device: 0,
    inode: 0,
    version: headers.etag,
  };
}

function nameOf(url: URL): string | undefined {
  return toFileName(percentDecoded(url.pathname.slice(url.pathname.lastIndexOf('/') + 1)));
}
