import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { OpenOriginal } from '../../operations/original/originals.js';
import type { DocumentView } from '../../search/document-view.js';
import { RequestFault } from '../request-fault.js';

export interface OriginalAnswer {
  readonly original: OpenOriginal;
  readonly view: DocumentView;
  readonly disposition: 'inline' | 'attachment';
}

const PDF = 'application/pdf';
/** Bytes in which a PDF must say that it is one. */
const HEAD = 1024;

/** Pictures that a browser draws and that hold no program. */
const PICTURES: readonly (readonly [type: string, begins: (head: Buffer) => boolean])[] = [
  ['image/png', (head) => head.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))],
  ['image/jpeg', (head) => head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['image/gif', (head) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6))],
  ['image/webp', (head) => /^RIFF[\s\S]{4}WEBP/.test(head.toString('latin1', 0, 12))],
];

/**
 * The media type under which a browser may show the file in a page of its own; undefined for everything that could run
 * something there. What the file begins with has to agree with what the index says.
 */
export async function inlineType(original: OpenOriginal, { content_type }: DocumentView): Promise<string | undefined> {
  const [type = '', ...parameters] = (content_type ?? '').toLowerCase().split(/\s*;\s*/);
  if (type.startsWith('text/')) {
    return /html|xml|asp|script/.test(type) ? undefined : `text/plain; charset=${charsetOf(parameters)}`;
  }
  const begins = PICTURES.find(([picture]) => picture === type)?.[1];
  if (type !== PDF && begins === undefined) return undefined;
  const head = await headOf(original);
  const agrees = begins === undefined ? head.includes('%PDF-') : begins(head);
  return agrees ? type : undefined;
}

/** The file, or the range of it that is asked for. Throws 416 for a range that lies outside. */
export async function sendOriginal(
  request: Request,
  response: Response,
  { original, view, disposition }: OriginalAnswer,
): Promise<void> {
  const type = disposition === 'inline' ? await inlineType(original, view) : undefined;
  setHeaders(response, type, view.name);
  const { size, modifiedMs } = original;
  const tag = `"${size.toString(16)}-${Math.trunc(modifiedMs).toString(16)}"`;
  response.setHeader('ETag', tag);
  response.setHeader('Accept-Ranges', 'bytes');
  if (request.headers['if-none-match'] === tag) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const range = rangeOf(request, size, tag);
  const { start, end } = range ?? { start: 0, end: size - 1 };
  if (range !== undefined) {
    response.statusCode = 206;
    response.setHeader('Content-Range', `bytes ${start}-${end}/${size}`);
  }
  response.setHeader('Content-Length', end - start + 1);
  if (request.method === 'HEAD' || size === 0) {
    response.end();
    return;
  }
  await transfer(await original.read(start, end), response);
}

function setHeaders(response: Response, type: string | undefined, name: string): void {
  // Express makes the header of RFC 6266, with a form of the name for old clients.
  response.attachment(name.slice(0, LONGEST_NAME).toWellFormed());
  if (type !== undefined) {
    const header = String(response.getHeader('Content-Disposition'));
    response.setHeader('Content-Disposition', header.replace(/^attachment/, 'inline'));
  }
  response.setHeader('Content-Type', type ?? 'application/octet-stream');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cache-Control', 'private, no-cache');
  // Browsers do not show a PDF in a sandbox; their viewers run no script of the page.
  const policy =
    type === PDF ? "frame-ancestors 'none'; script-src 'none'" : "sandbox; default-src 'none'; frame-ancestors 'none'";
  response.setHeader('Content-Security-Policy', policy);
}

const LONGEST_NAME = 255;

/** One range; several are answered with the whole file, which is allowed. */
function rangeOf(request: Request, size: number, tag: string): { start: number; end: number } | undefined {
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== tag) return undefined;
  const ranges = request.range(size);
  if (ranges === -1) {
    throw new RequestFault(416, `The file has ${size} bytes; the range lies outside.`, {
      'Content-Range': `bytes */${size}`,
    });
  }
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}

/** A reader who leaves in the middle is no fault. */
async function transfer(stream: Readable, response: Response): Promise<void> {
  try {
    await pipeline(stream, response);
  } catch (error) {
    if (!response.destroyed) throw error;
  }
}

function charsetOf(parameters: readonly string[]): string {
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length) ?? '';
  return /^[a-z0-9_-]{1,30}$/.test(charset) ? charset : 'utf-8';
}

async function headOf(original: OpenOriginal): Promise<Buffer> {
  const { size } = original;
  if (size === 0) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  for await (const chunk of await original.read(0, Math.min(HEAD, size) - 1)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
