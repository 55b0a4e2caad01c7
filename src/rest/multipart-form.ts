import type { Writable } from 'node:stream';
import type { Request, RequestHandler, Response } from 'express';
import multer, { MulterError } from 'multer';
import { CrawlerError } from '../base/errors.js';
import { decodeHeaderText, isTooLong, toFileName } from '../source/file-name.js';
import type { Spool, SpooledFile } from '../source/spool.js';
import { RequestFault, badRequest } from './request-fault.js';
import { SpoolStorage, spooledFile } from './spool-storage.js';
import { TEXT_LIMIT, acceptBody, textTooLarge } from './text-body.js';

/**
 * A multipart upload: text fields, the documents in the parts `file`, and `tags` as text or as a file. Documents go to
 * the spool as they arrive. Of several text parts with one name the first counts; file parts with other names are
 * ignored. Text is bounded as a whole, since the parser bounds each field only, and so are the documents.
 */
export interface MultipartForm {
  readonly fields: Readonly<Record<string, unknown>>;
  /** In the order of their parts. */
  readonly files: readonly UploadedFile[];
}

export interface UploadedFile {
  readonly name: string;
  readonly file: SpooledFile;
}

const TEXT_PARTS: ReadonlySet<string> = new Set(['id', 'index', 'password']);
/** Documents that one upload may carry. */
const MAX_FILES = 100;
const LIMITS = { fields: 1000, parts: 1100, fieldNameSize: 200, fieldNestingDepth: 5, fieldArrayIndexLimit: 100 };

export class MultipartReader {
  readonly #parse: RequestHandler;
  readonly #maxBytes: number;

  constructor(spool: Spool, maxBytes: number | undefined) {
    this.#maxBytes = maxBytes ?? Infinity;
    const options = {
      storage: new SpoolStorage(spool, this.#maxBytes),
      // Backslashes and slashes are looked at when the name is decoded.
      preservePath: true,
      limits: { ...LIMITS, fieldSize: TEXT_LIMIT },
      fileFilter,
      // Younger than the type declarations of multer.
      streamHandler: feed,
    };
    this.#parse = multer(options).any();
  }

  /** Nothing is left in the spool when it throws; otherwise the caller removes the files. */
  async read(request: Request, response: Response): Promise<MultipartForm> {
    if (Number(request.headers['content-length'] ?? 0) > this.#maxBytes + 2 * TEXT_LIMIT) throw this.#tooLarge();
    acceptBody(request, response);
    await new Promise<void>((resolve, reject) => {
      this.#parse(request, response, (error?: unknown) => {
        if (error === undefined || error === null) resolve();
        else reject(this.#faultOf(error));
      });
    });
    return formOf(request);
  }

  #faultOf(error: unknown): Error {
    if (error instanceof CrawlerError && error.code === 'too_large') return this.#tooLarge();
    if (error instanceof RequestFault || error instanceof CrawlerError) return error;
    if (!(error instanceof MulterError)) return malformed(error);
    switch (error.code) {
      case 'LIMIT_FIELD_VALUE':
        return textTooLarge();
      case 'LIMIT_FIELD_COUNT':
      case 'LIMIT_PART_COUNT':
        return badRequest(`The form has more than ${LIMITS.fields} fields.`);
      default:
        return malformed(error);
    }
  }

  #tooLarge(): RequestFault {
    return new RequestFault(
      413,
      `The upload is larger than the ${this.#maxBytes} bytes that rest.max_upload_size allows.`,
    );
  }
}

/** The parser throws plain errors; anything more special is a fault of ours. */
function malformed(error: unknown): Error {
  if (error instanceof MulterError || (error instanceof Error && error.name === 'Error')) {
    return badRequest(`The multipart body is malformed: ${error.message}.`);
  }
  return error instanceof Error ? error : new Error(String(error));
}

/** Decides about each file part before its bytes are read. */
function fileFilter(request: Request, file: Express.Multer.File, decide: multer.FileFilterCallback): void {
  const { fieldname } = file;
  if (TEXT_PARTS.has(fieldname)) {
    decide(badRequest(`The part [${fieldname}] must be a text field, not a file.`));
    return;
  }
  // Multer lists a part before it asks about it.
  const count = filesOf(request).filter((each) => each.fieldname === fieldname).length;
  const fault = fieldname === 'file' ? (countFault(count) ?? nameFault(file)) : undefined;
  if (fault === undefined) decide(null, fieldname === 'file' || (fieldname === 'tags' && count === 1));
  else decide(fault);
}

function countFault(count: number): RequestFault | undefined {
  return count > MAX_FILES ? badRequest(`The upload has more than ${MAX_FILES} parts [file].`) : undefined;
}

function nameFault(file: Express.Multer.File): RequestFault | undefined {
  const name = nameOf(file);
  if (name === undefined) return badRequest('The file name of the part [file] is empty or only a path.');
  return isTooLong(name) ? badRequest('The file name of the part [file] is longer than 255 characters.') : undefined;
}

function nameOf(file: Express.Multer.File): string | undefined {
  return toFileName(decodeHeaderText(file.originalname));
}

async function formOf(request: Request): Promise<MultipartForm> {
  const fields: Record<string, unknown> = { ...(request.body as Record<string, unknown> | undefined) };
  const files: UploadedFile[] = [];
  for (const each of filesOf(request)) {
    const file = spooledFile(each);
    if (file === undefined) continue;
    if (each.fieldname === 'file') files.push({ name: nameOf(each) ?? '', file });
    else if (fields['tags'] === undefined) fields['tags'] = await textOf(file);
    else await file.remove();
  }
  return { fields, files };
}

async function textOf(file: SpooledFile): Promise<string> {
  try {
    return new TextDecoder().decode(await file.bytes());
  } finally {
    await file.remove();
  }
}

function filesOf(request: Request): readonly Express.Multer.File[] {
  return Array.isArray(request.files) ? request.files : [];
}

/** Hands the request to the parser and counts the text that it collects. */
function feed(request: Request, parser: Writable): void {
  let total = 0;
  parser.on('field', (_name: unknown, value: string) => {
    total += value.length;
    if (total > TEXT_LIMIT) parser.destroy(textTooLarge());
  });
  request.pipe(parser);
}
