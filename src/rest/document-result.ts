import type { ErrorCode } from '../base/errors.js';
import type { IngestOutcome, RemoveOutcome } from '../ingest/ingest.js';
import type { Reason } from '../model/reason.js';

/**
 * The answers of uploads, fetches and deletes. A business failure is a 200 with `ok: false`, as the peer answers it;
 * `rest.strict_status` gives it a status of its own: 400 for a document or request at fault, 404 for what is missing, 502
 * for a place or an engine that cannot be reached. Tags that do not fit are a malformed request, and a full disk is a 507,
 * in both modes.
 */
export interface Result {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ResultOptions {
  readonly strict: boolean;
  /** Where the caller can read a document. */
  urlOf(index: string, id: string): string;
  /** Show the document. */
  readonly withDocument: boolean;
}

export function uploadResult(outcome: IngestOutcome, options: ResultOptions): Result {
  const { strict, withDocument } = options;
  const { filename } = outcome;
  switch (outcome.status) {
    case 'indexed':
      return {
        status: 200,
        body: {
          ok: true,
          filename,
          url: options.urlOf(outcome.index, outcome.id),
          ...(withDocument ? { doc: outcome.document } : {}),
          ...(outcome.problem === undefined ? {} : { warning: outcome.problem.message }),
        },
      };
    case 'skipped':
      return failure(strict ? 400 : 200, { filename }, indexingMessage(filename, outcome.problem.message));
    case 'failed': {
      const { id, index, problem } = outcome;
      const known = { filename, ...(id === undefined ? {} : { url: options.urlOf(index, id) }) };
      if (problem.reason === 'invalid_metadata') return failure(400, known, problem.message);
      if (problem.reason === 'disk_full') return failure(507, known, indexingMessage(filename, problem.message));
      return failure(strict ? statusOfReason(problem.reason) : 200, known, indexingMessage(filename, problem.message));
    }
  }
}

/**
 * An upload of several documents: what a client of one document expects, for the first, and every result under
 * `files`. It is ok when all are; `message` is that of the first one that is not.
 */
export function resultOfSeveral(results: readonly Result[]): Result {
  const failed = results.find(({ body }) => body['ok'] !== true);
  return {
    status: Math.max(...results.map(({ status }) => status)),
    body: {
      ...results[0]?.body,
      ...(failed === undefined ? {} : { ok: false, message: failed.body['message'] }),
      files: results.map(({ body }) => body),
    },
  };
}

/** `filename` is undefined when the document was named by its id. */
export function deleteResult(outcome: RemoveOutcome, filename: string | undefined, strict: boolean): Result {
  const { id, index, ok, reason } = outcome;
  const echoed = { id, index, ...(filename === undefined ? {} : { filename }) };
  if (ok) return { status: 200, body: { ok, ...echoed } };
  const document = `Can not remove document [${index}/${filename ?? id}]`;
  if (reason === 'not_found') {
    return failure(strict ? 404 : 200, echoed, `${document}: Can not remove document ${index}/${id} cause: NOT_FOUND`);
  }
  const message = `${document}: ${outcome.message ?? 'the search engine refused'}`;
  if (reason === 'disk_full') return failure(507, echoed, message);
  const status = reason === 'rejected' ? 400 : 502;
  return failure(strict ? status : 200, echoed, message);
}

/** The status of a failed fetch. What is wrong with the request itself is a 400 in both modes. */
export function statusOfFetchFailure(code: ErrorCode, strict: boolean): number {
  if (code === 'usage') return 400;
  if (code === 'disk_full') return 507;
  if (!strict) return 200;
  if (code === 'not_found') return 404;
  return code === 'unavailable' || code === 'timed_out' || code === 'rate_limited' ? 502 : 400;
}

export function failure(status: number, body: Readonly<Record<string, unknown>>, message: string): Result {
  return { status, body: { ok: false, ...body, message } };
}

function indexingMessage(filename: string, why: string): string {
  return `Can not index document [${filename}]: ${why}`;
}

function statusOfReason(reason: Reason): number {
  if (reason === 'unavailable') return 502;
  return reason === 'vanished' ? 404 : 400;
}
