import type { Request, Response } from 'express';
import type { StoredDocument } from '../../engine/engine.js';
import { refusals, type OpenOriginal, type UnavailableOriginal } from '../../operations/original/originals.js';
import { DocumentTexts, MOST_CHARACTERS, type WindowRequest } from '../../search/document-text.js';
import { documentView, type DocumentView } from '../../search/document-view.js';
import { IndexSearch } from '../../search/index-search.js';
import { sendJson } from '../answer.js';
import { RequestFault } from '../request-fault.js';
import { requestSignal } from '../request-signal.js';
import { requireEngine } from '../require-engine.js';
import type { RestContext } from '../rest-options.js';
import { pathParameter } from '../route.js';
import { FindParameters } from './find-parameters.js';
import { openDocument } from './open-document.js';
import { inlineType, sendOriginal } from './original-answer.js';

const PAGES = 3;
const CHARACTERS = 20_000;
const PASSAGES = 50;
const LONGEST_TEXT = 999_999_999;

const NO_DOCUMENT = 'There is no document of this id in the index of the job.';

/** `GET /_document/{id}` and what belongs to it: one document of the job's index for people. */
export class DocumentEndpoint {
  readonly #context: RestContext;
  readonly #texts: DocumentTexts;

  constructor(context: RestContext) {
    const { engine, index, searchFields } = context;
    this.#context = context;
    this.#texts = new DocumentTexts(new IndexSearch({ engine, index, searchFields }));
  }

  async byId(request: Request, response: Response): Promise<void> {
    new FindParameters(request, []);
    await this.#show(response, pathParameter(request, 'id'));
  }

  /** The upload of that name. */
  async byName(request: Request, response: Response): Promise<void> {
    const name = new FindParameters(request, ['filename']).text('filename');
    if (name === undefined) throw new RequestFault(400, 'Give the id of the document in the path, or its [filename].');
    await this.#show(
      response,
      this.#context.ingester.idOf(name),
      'There is no upload of this name in the index of the job.',
    );
  }

  async text(request: Request, response: Response): Promise<void> {
    const parameters = new FindParameters(request, ['q', 'page', 'pages', 'from', 'length']);
    const wanted = windowOf(parameters);
    const signal = requestSignal(response, this.#context.stopping);
    const stored = await this.#stored(response, pathParameter(request, 'id'), signal);
    const window = await this.#texts.window(stored, parameters.text('q') ?? '', wanted, signal);
    sendJson(response, 200, { ok: true, ...window });
  }

  async matches(request: Request, response: Response): Promise<void> {
    const parameters = new FindParameters(request, ['q', 'size', 'after']);
    const size = parameters.integer('size', { least: 1, most: 200, otherwise: PASSAGES });
    const from = parameters.integer('after', { least: 0, most: LONGEST_TEXT, otherwise: 0 });
    const signal = requestSignal(response, this.#context.stopping);
    const stored = await this.#stored(response, pathParameter(request, 'id'), signal);
    const q = parameters.text('q') ?? '';
    const { passages, total } = await this.#texts.passages(stored, q, { size, from }, signal);
    const end = from + passages.length;
    sendJson(response, 200, { ok: true, total, matches: passages, next: end < total ? String(end) : null });
  }

  async original(request: Request, response: Response): Promise<void> {
    const parameters = new FindParameters(request, ['disposition']);
    const disposition = parameters.choice('disposition', ['inline', 'attachment']) ?? 'attachment';
    const signal = requestSignal(response, this.#context.stopping);
    const stored = await this.#stored(response, pathParameter(request, 'id'), signal);
    const view = documentView(stored);
    const original = await openDocument(this.#context, stored, view, signal);
    if (original.kind === 'refused') {
      this.#context.logger.info(`An original was asked for and not shown: ${original.why}`, { id: stored.id });
      throw new RequestFault(404, refusals[original.why]);
    }
    try {
      await sendOriginal(request, response, { original, view, disposition });
    } finally {
      await original.close();
    }
  }

  async #show(response: Response, id: string, missing = NO_DOCUMENT): Promise<void> {
    const signal = requestSignal(response, this.#context.stopping);
    const stored = await this.#stored(response, id, signal, missing);
    const view = documentView(stored);
    const original = await openDocument(this.#context, stored, view, signal);
    try {
      sendJson(response, 200, { ok: true, ...view, original: await originalBody(original, view) });
    } finally {
      if (original.kind === 'open') await original.close();
    }
  }

  async #stored(response: Response, id: string, signal: AbortSignal, missing = NO_DOCUMENT): Promise<StoredDocument> {
    const { engine, index } = this.#context;
    await requireEngine(this.#context, response);
    const stored = await engine.get(index, id, signal);
    if (stored === undefined) throw new RequestFault(404, missing);
    return stored;
  }
}

/** Pages where some are asked for, otherwise characters. */
function windowOf(parameters: FindParameters): WindowRequest {
  const page = parameters.integer('page', { least: 1, most: LONGEST_TEXT, otherwise: undefined });
  const pages = parameters.integer('pages', { least: 1, most: 50, otherwise: PAGES });
  const from = parameters.integer('from', { least: 0, most: LONGEST_TEXT, otherwise: 0 });
  const length = parameters.integer('length', { least: 1, most: MOST_CHARACTERS, otherwise: CHARACTERS });
  return page === undefined ? { from, length } : { page, pages };
}

async function originalBody(original: OpenOriginal | UnavailableOriginal, view: DocumentView): Promise<object> {
  if (original.kind === 'refused') {
    return { available: false, why: original.why, sentence: refusals[original.why] };
  }
  const indexed = view.modified === null ? undefined : Date.parse(view.modified);
  return {
    available: true,
    inline: (await inlineType(original, view)) !== undefined,
    bytes: original.size,
    // Whole seconds: sources differ in how exact their times are.
    changed: indexed !== undefined && Math.trunc(indexed / 1000) !== Math.trunc(original.modifiedMs / 1000),
  };
}
