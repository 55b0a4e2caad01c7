import type { Request, Response } from 'express';
import { CrawlerError } from '../../base/errors.js';
import type { IngestItem } from '../../ingest/ingest.js';
import type { FetchTarget } from '../../source/fetch.js';
import { UploadSource } from '../../source/upload/upload-source.js';
import { sendJson } from '../answer.js';
import { deleteResult, failure, statusOfFetchFailure, uploadResult } from '../document-result.js';
import type { Result } from '../document-result.js';
import { fetchFailure, openTarget, parseFetchRequest } from '../fetch-request.js';
import { MultipartReader } from '../multipart-form.js';
import type { UploadedFile } from '../multipart-form.js';
import { Parameters } from '../parameters.js';
import { RequestFault, badRequest } from '../request-fault.js';
import { requestSignal } from '../request-signal.js';
import type { RestContext } from '../rest-options.js';
import { pathParameter } from '../route.js';
import type { RestRoute } from '../route.js';
import { parseTags } from '../tags.js';
import { hasBody, mediaTypeOf, readTextBody } from '../text-body.js';

const NO_FILE = 'No file has been sent or you are not using [file] as the field name.';
const NO_NAME =
  'We can not delete a document without an id or a filename. Either call DELETE /_document/ID or DELETE /_document?filename=foo.txt';

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
type Wish = Pick<IngestItem, 'id' | 'index' | 'password' | 'tags' | 'simulate'> & { readonly withDocument: boolean };

class DocumentEndpoint {
  readonly #context: RestContext;
  readonly #multipart: MultipartReader;

  constructor(context: RestContext) {
    this.#context = context;
    this.#multipart = new MultipartReader(context.spool, context.maxUploadBytes);
  }

  async add(request: Request, response: Response, id?: string): Promise<void> {
    const mediaType = mediaTypeOf(request);
    if (!new Parameters(request).flag('simulate')) this.#requireEngine();
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
    this.#requireEngine();
    const { ingester, strictStatus, stopping } = this.#context;
    const outcome = await ingester.remove(parameters.name('index'), id, stopping);
    send(response, deleteResult(outcome, filename, strictStatus));
  }

  async #upload(request: Request, response: Response, id: string | undefined): Promise<Result> {
    if (!hasBody(request)) throw badRequest('The body of the request is empty.');
    const { fields, file } = await this.#multipart.read(request, response);
    try {
      const wish = this.#wishOf(new Parameters(request, { form: fields }), id);
      if (file !== undefined) return await this.#index(uploadTarget(file), wish);
      return failure(this.#context.strictStatus ? 400 : 200, {}, NO_FILE);
    } finally {
      await file?.content.remove();
    }
  }

  async #fetch(request: Request, response: Response, id: string | undefined): Promise<Result> {
    const fetchRequest = parseFetchRequest(await readTextBody(request, response), this.#context.fetchSources);
    const wish = this.#wishOf(new Parameters(request, { body: fetchRequest.body }), id);
    const signal = requestSignal(response, this.#context.stopping);
    let target: FetchTarget | undefined;
    try {
      target = await openTarget(fetchRequest, this.#context.fetchSources, signal);
      return await this.#index(target, wish, signal);
    } catch (error) {
      if (!(error instanceof CrawlerError) || error.code === 'cancelled' || error.code === 'internal') throw error;
      const { code, message } = fetchFailure(fetchRequest.type, error);
      return failure(statusOfFetchFailure(code, this.#context.strictStatus), {}, message);
    } finally {
      await target?.source.close();
    }
  }

  /**
   * What has arrived is indexed also when the sender has not the patience to wait for the answer; only opening a source
   * ends with the request.
   */
  async #index(target: FetchTarget, wish: Wish, opening: AbortSignal = this.#context.stopping): Promise<Result> {
    const { engine, ingester, stopping, strictStatus: strict } = this.#context;
    const { withDocument, ...options } = wish;
    const entry = await target.source.stat(target.path, opening);
    const { source, place } = target;
    const outcome = await ingester.ingest({ source, entry, place, origin: 'rest', ...options }, stopping);
    return uploadResult(outcome, { strict, engine, withDocument });
  }

  #wishOf(parameters: Parameters, idOfPath: string | undefined): Wish {
    const simulate = parameters.flag('simulate');
    const id = idOfPath ?? parameters.name('id');
    const index = parameters.name('index');
    const password = parameters.text('password');
    const tags = parseTags(parameters.value('tags'));
    return {
      simulate,
      withDocument: simulate || this.#context.debug || parameters.flag('debug'),
      ...(id === undefined ? {} : { id }),
      ...(index === undefined ? {} : { index }),
      ...(password === undefined ? {} : { password }),
      ...(tags === undefined ? {} : { tags }),
    };
  }

  #requireEngine(): void {
    const state = this.#context.engineReady();
    if (!state.ready) throw new RequestFault(503, state.message, { 'Retry-After': '5' });
  }
}

function uploadTarget({ name, content }: UploadedFile): FetchTarget {
  const source = new UploadSource(name, content);
  return { source, path: name, filename: name, place: { filename: name, real: name, virtual: name } };
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
