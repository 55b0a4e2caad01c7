import type { Request, Response } from 'express';
import { CrawlerError } from '../../base/errors.js';
import { Semaphore } from '../../base/semaphore.js';
import type { IngestItem } from '../../ingest/ingest.js';
import type { FetchTarget } from '../../source/fetch.js';
import { sendJson } from '../answer.js';
import { deleteResult, failure, resultOfSeveral, statusOfFetchFailure, uploadResult } from '../document-result.js';
import type { Result, ResultOptions } from '../document-result.js';
import { fetchFailure, openTarget, parseFetchRequest } from '../fetch-request.js';
import { isObject } from '../json-text.js';
import { MultipartReader } from '../multipart-form.js';
import type { MultipartForm, UploadedFile } from '../multipart-form.js';
import { Parameters } from '../parameters.js';
import type { Received } from '../parameters.js';
import { RequestFault, badRequest } from '../request-fault.js';
import { requestSignal } from '../request-signal.js';
import { requireEngine } from '../require-engine.js';
import type { RestContext } from '../rest-options.js';
import { pathParameter } from '../route.js';
import type { RestRoute } from '../route.js';
import { parseTagsParameter } from '../tags.js';
import { FETCH_LIMIT, hasBody, mediaTypeOf, readTextBody } from '../text-body.js';

const NO_FILE = 'No file has been sent or you are not using [file] as the field name.';
const NO_NAME =
  'We can not delete a document without an id or a filename. Either call DELETE /_document/ID or DELETE /_document?filename=foo.txt';

/** Of one upload; the extraction has its own limit. */
const FILES_AT_ONCE = 4;

/** Uploads, fetches and deletes. A PUT is a POST whose id stands in the path. */
export function documentRoutes(context: RestContext): readonly RestRoute[] {
  const endpoint = new DocumentEndpoint(context);
  const paths = context.legacy ? ['/_document', '/_upload'] : ['/_document'];
  return [
    ...paths.map((path): RestRoute => ({
      method: 'POST',
      path,
      handle: (request, response) => endpoint.add(request, response),
    })),
    {
      method: 'PUT',
      path: '/_document/:id',
      handle: (request, response) => endpoint.add(request, response, pathParameter(request, 'id')),
    },
    { method: 'DELETE', path: '/_document', handle: (request, response) => endpoint.removeByName(request, response) },
    { method: 'DELETE', path: '/_document/:id', handle: (request, response) => endpoint.removeById(request, response) },
  ];
}

/** How a document is to be indexed, whatever way it came. */
type IndexOptions = Pick<IngestItem, 'id' | 'index' | 'password' | 'tags' | 'simulate'> &
  Pick<ResultOptions, 'withDocument' | 'urlOf'>;

type ReceivedDocument = Pick<IngestItem, 'entry' | 'content' | 'place'>;

class DocumentEndpoint {
  readonly #context: RestContext;
  readonly #multipart: MultipartReader;

  constructor(context: RestContext) {
    this.#context = context;
    this.#multipart = new MultipartReader(context.spool, context.maxUploadBytes);
  }

  async add(request: Request, response: Response, id?: string): Promise<void> {
    const mediaType = mediaTypeOf(request);
    if (!new Parameters(request).flag('simulate')) await requireEngine(this.#context, response);
    watchForSilence(request, response, this.#context.silenceMs);
    if (mediaType === 'multipart/form-data') send(response, await this.#upload(request, response, id));
    else if (mediaType === 'application/json') send(response, await this.#fetch(request, response, id));
    else throw wrongMediaType(mediaType, hasBody(request));
  }

  async removeByName(request: Request, response: Response): Promise<void> {
    const parameters = new Parameters(request);
    const filename = parameters.text('filename') ?? '';
    if (filename === '') send(response, failure(this.#context.strictStatus ? 400 : 200, {}, NO_NAME));
    else await this.#remove(response, parameters, this.#context.ingester.idOf(filename), filename);
  }

  async removeById(request: Request, response: Response): Promise<void> {
    await this.#remove(response, new Parameters(request), pathParameter(request, 'id'), undefined);
  }

  async #remove(response: Response, parameters: Parameters, id: string, filename: string | undefined): Promise<void> {
    const { ingester, strictStatus, stopping } = this.#context;
    await requireEngine(this.#context, response);
    const outcome = await ingester.remove(parameters.name('index'), id, stopping);
    send(response, deleteResult(outcome, filename, strictStatus));
  }

  async #upload(request: Request, response: Response, id: string | undefined): Promise<Result> {
    if (!hasBody(request)) throw badRequest('The body of the request is empty.');
    const { fields, files } = await this.#multipart.read(request, response);
    try {
      const options = await this.#optionsOf(request, { form: fields }, id);
      const fault = unsentFault(files, fields) ?? faultOfSeveral(files, options);
      if (fault !== undefined) throw fault;
      return await this.#indexAll(files, options);
    } finally {
      for (const { file } of files) await file.remove();
    }
  }

  async #indexAll(files: readonly UploadedFile[], options: IndexOptions): Promise<Result> {
    const [first, ...others] = files;
    if (first === undefined) return failure(this.#context.strictStatus ? 400 : 200, {}, NO_FILE);
    if (others.length === 0) return await this.#index(receivedDocument(first), options);
    const slots = new Semaphore(FILES_AT_ONCE);
    // All of them have ended before their files are removed.
    const settled = await Promise.allSettled(
      files.map((file) => withPermit(slots, () => this.#index(receivedDocument(file), options))),
    );
    return resultOfSeveral(
      settled.map((each) => {
        if (each.status === 'rejected') throw each.reason;
        return each.value;
      }),
    );
  }

  async #fetch(request: Request, response: Response, id: string | undefined): Promise<Result> {
    const text = await readTextBody(request, response, FETCH_LIMIT);
    const fetchRequest = await parseFetchRequest(text, this.#context.fetchSources);
    const options = await this.#optionsOf(request, { body: fetchRequest.body }, id);
    const signal = requestSignal(response, this.#context.stopping);
    let target: FetchTarget | undefined;
    try {
      target = await openTarget(fetchRequest, this.#context.fetchSources, signal);
      return await this.#index(target, options);
    } catch (error) {
      if (!(error instanceof CrawlerError) || error.code === 'cancelled' || error.code === 'internal') throw error;
      const { code, message } = fetchFailure(fetchRequest.type, error);
      return failure(statusOfFetchFailure(code, this.#context.strictStatus), {}, message);
    } finally {
      await target?.close();
    }
  }

  /** What has arrived is indexed also when the sender does not wait for the answer; only the opening of a fetch ends with it. */
  async #index({ entry, content, place }: ReceivedDocument, indexing: IndexOptions): Promise<Result> {
    const { ingester, stopping, strictStatus: strict } = this.#context;
    const { withDocument, urlOf, ...options } = indexing;
    const outcome = await ingester.ingest({ entry, content, place, origin: 'rest', ...options }, stopping);
    return uploadResult(outcome, { strict, urlOf, withDocument });
  }

  async #optionsOf(request: Request, received: Received, idOfPath: string | undefined): Promise<IndexOptions> {
    const { baseUrl, debug, engine } = this.#context;
    const parameters = new Parameters(request, received);
    const simulate = parameters.flag('simulate');
    const id = idOfPath ?? parameters.name('id');
    const index = parameters.name('index');
    const password = parameters.text('password');
    const tags = await parseTagsParameter(parameters.value('tags'));
    return {
      simulate,
      withDocument: simulate || debug || parameters.flag('debug'),
      urlOf: (target, documentId) => baseUrl.shown(engine.urlOf(target, documentId), request),
      ...(id === undefined ? {} : { id }),
      ...(index === undefined ? {} : { index }),
      ...(password === undefined ? {} : { password }),
      ...(tags === undefined ? {} : { tags }),
    };
  }
}

/** A text beside documents would be passed over. A form sends an empty one for a file that was not chosen. */
function unsentFault(files: readonly UploadedFile[], { file }: MultipartForm['fields']): RequestFault | undefined {
  if (files.length === 0 || file === undefined || file === '') return undefined;
  return badRequest('One of the parts [file] is a text field: send it with a file name.');
}

/**
 * Every document of an upload needs an id of its own: one must not overwrite the other unnoticed. Without a given id it is
 * made of the file name, also of one that the tags give.
 */
function faultOfSeveral(files: readonly UploadedFile[], { id, tags }: IndexOptions): RequestFault | undefined {
  if (files.length < 2 || id === '_auto_') return undefined;
  if (id !== undefined)
    return badRequest(`The upload has ${files.length} parts [file], which cannot all have the id [${id}].`);
  const names = files.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) < at) ?? givenName(tags);
  if (twice === undefined) return undefined;
  return badRequest(
    `Several parts [file] would get the same id, that of the name [${twice}]. Add id=_auto_, or send them one by one.`,
  );
}

function givenName(tags: unknown): string | undefined {
  const file = isObject(tags) ? tags['file'] : undefined;
  const name = isObject(file) ? file['filename'] : undefined;
  return typeof name === 'string' || typeof name === 'number' ? String(name) : undefined;
}

async function withPermit<T>(slots: Semaphore, work: () => Promise<T>): Promise<T> {
  await slots.acquire();
  try {
    return await work();
  } finally {
    slots.release();
  }
}

/** Of an upload nothing is known but its name and its bytes. */
function receivedDocument({ name, file }: UploadedFile): ReceivedDocument {
  return {
    entry: {
      name,
      path: name,
      kind: 'file',
      size: file.size,
      modifiedMs: undefined,
      changedMs: undefined,
      createdMs: undefined,
      accessedMs: undefined,
      device: 0,
      inode: 0,
      version: undefined,
    },
    content: file.content,
    place: { filename: name, real: name, virtual: name },
  };
}

function send(response: Response, { status, body }: Result): void {
  sendJson(response, status, body);
}

function wrongMediaType(mediaType: string, body: boolean): RequestFault {
  const wanted = 'Send multipart/form-data with a part named file, or application/json with a source to fetch from.';
  if (mediaType === '' && !body) return badRequest(`The request has neither a content type nor a body. ${wanted}`);
  return new RequestFault(415, `The content type [${mediaType}] is not supported. ${wanted}`);
}

/** Until the body is there. Afterwards the sender waits for us, however long the extraction takes. */
function watchForSilence(request: Request, response: Response, silenceMs: number): void {
  request.setTimeout(silenceMs, () => {
    if (response.headersSent) return;
    response.setHeader('Connection', 'close');
    // Node does not tell the readers of a body that its connection is gone once the answer is out.
    response.once('finish', () => request.destroy());
    sendJson(response, 408, {
      ok: false,
      message: `Nothing has arrived for ${silenceMs / 1000} seconds; the request was given up.`,
    });
  });
  request.once('end', () => request.socket.setTimeout(0));
}
