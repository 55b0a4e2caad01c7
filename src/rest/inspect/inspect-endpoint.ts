import type { Request, Response } from 'express';
import type { HeldPage } from '../../operations/approve/held-page.js';
import type { RetryRequest } from '../../operations/inspector/inspector-thread.js';
import { SAMPLE_INTERVAL_MS } from '../../operations/monitor/rate-history.js';
import { reasons, type Reason } from '../../model/reason.js';
import { sendJson } from '../answer.js';
import { FindParameters } from '../find/find-parameters.js';
import { isObject, parseJson } from '../json-text.js';
import { badRequest } from '../request-fault.js';
import type { RestContext } from '../rest-options.js';
import { FETCH_LIMIT, readTextBody } from '../text-body.js';
import { openInspector } from './open-inspector.js';

const LISTED = { least: 1, most: 1000, otherwise: 100 };
const MOST_PATHS = 100;
/** Longer than any path of a file system. */
const MOST_CHARACTERS = 8192;

/** Short questions about a job. */
export class InspectEndpoint {
  readonly #context: RestContext;

  constructor(context: RestContext) {
    this.#context = context;
  }

  async why(request: Request, response: Response): Promise<void> {
    const parameters = new FindParameters(request, ['path', 'name']);
    const [path, name] = [parameters.text('path'), parameters.text('name')];
    if ((path === undefined) === (name === undefined))
      throw badRequest('Give one parameter: [path] of a file or folder, or [name], a part of a file name.');
    if ((path ?? name ?? '').length > MOST_CHARACTERS)
      throw badRequest(`The parameter [${path === undefined ? 'name' : 'path'}] is too long.`);
    const { questions } = await openInspector(this.#context);
    const answer = path === undefined ? await questions.named(name ?? '') : await questions.why(path);
    sendJson(response, 200, { ok: true, ...answer });
  }

  async failures(request: Request, response: Response): Promise<void> {
    const parameters = new FindParameters(request, ['reason', 'all', 'size', 'after']);
    const wanted = {
      reason: parameters.choice('reason', Object.keys(reasons) as Reason[]),
      all: parameters.choice('all', ['true', 'false']) === 'true',
      size: parameters.integer('size', LISTED),
      after: parameters.text('after'),
    };
    const { questions } = await openInspector(this.#context);
    const { failures, counts, next } = await questions.failures(wanted);
    sendJson(response, 200, {
      ok: true,
      failures: failures.map(({ path, what, standing, reason, message, atMs, tries, retryMs }) => {
        return { path, what, standing, reason, message, atMs, tries, retryMs };
      }),
      counts,
      next: next ?? null,
    });
  }

  async retry(request: Request, response: Response): Promise<void> {
    new FindParameters(request, []);
    const wanted = await retryRequest(await readTextBody(request, response, FETCH_LIMIT));
    const { questions } = await openInspector(this.#context);
    const queued = await questions.retry(wanted);
    sendJson(response, 200, { ok: true, queued, message: await this.#beginScan(queued) });
  }

  async held(request: Request, response: Response): Promise<void> {
    const parameters = new FindParameters(request, ['size', 'after']);
    const wanted = { size: parameters.integer('size', LISTED), after: parameters.text('after') };
    const { questions } = await openInspector(this.#context);
    const page = await questions.held(wanted);
    sendJson(response, 200, { ok: true, ...(page === undefined ? NOTHING_HELD : heldBody(page)) });
  }

  history(request: Request, response: Response): Promise<void> {
    new FindParameters(request, []);
    const samples = this.#context.history.samples.map(({ atMs, filesPerSecond, queues }) => {
      return [atMs, Math.round(filesPerSecond * 10) / 10, queues.folders, queues.extraction, queues.engine];
    });
    sendJson(response, 200, { ok: true, interval_ms: SAMPLE_INTERVAL_MS, samples });
    return Promise.resolve();
  }

  /** What is queued waits for a scan: one begins now unless a person has paused. Says when. */
  async #beginScan(queued: number): Promise<string> {
    const { crawler } = this.#context;
    if (queued === 0) return 'There is nothing to retry.';
    if (crawler === undefined) return 'No crawl runs in this service (--loop 0): the next run tries them.';
    const { state, pausedBy } = crawler.status();
    if (pausedBy === 'user') return 'The crawl is paused: they are tried when it is resumed.';
    if (state === 'RUNNING') return 'The scan that is running, or the next one, tries them.';
    await crawler.resume();
    return 'A scan begins now and tries them.';
  }
}

const NOTHING_HELD = { documents: 0, folders: 0, since: null, message: null, by_folder: [], paths: [], next: null };

function heldBody({ held, byFolder, paths, next }: HeldPage): object {
  const { documents, folders, sinceMs, message } = held;
  const since = new Date(sinceMs).toISOString();
  return { documents, folders, since, message, by_folder: byFolder, paths, next: next ?? null };
}

async function retryRequest(text: string): Promise<RetryRequest> {
  const advice = `Send {"reason": "encrypted"} or {"paths": […]}, with at most ${MOST_PATHS} paths.`;
  const parsed = await parseJson(text);
  if (!parsed.ok)
    throw badRequest(text.trim() === '' ? `The body of the request is empty. ${advice}` : `The body ${parsed.why}.`);
  if (!isObject(parsed.value)) throw badRequest(`The body must be a JSON object. ${advice}`);
  const { reason, paths, ...others } = parsed.value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw badRequest(`There is no member [${unknown.slice(0, 100)}] here. ${advice}`);
  if ((reason === undefined) === (paths === undefined)) throw badRequest(`Give one member. ${advice}`);
  if (paths === undefined) return { reason: reasonOf(reason) };
  if (isPaths(paths)) return { paths };
  throw badRequest(`The member [paths] must be a list of 1 to ${MOST_PATHS} texts.`);
}

function reasonOf(value: unknown): Reason {
  const known = Object.keys(reasons) as Reason[];
  const found = known.find((each) => each === value);
  if (found !== undefined) return found;
  throw badRequest(`The member [reason] must be one of ${known.join(', ')}.`);
}

function isPaths(value: unknown): value is string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_PATHS) return false;
  return value.every((each) => typeof each === 'string' && each !== '' && each.length <= MOST_CHARACTERS);
}
