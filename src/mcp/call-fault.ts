import { CrawlerError, type ErrorCode } from '../base/errors.js';

/** What the model behind a client can correct, in a sentence for it. Nothing of a document is ever in it. */
export class CallFault extends Error {
  override readonly name = 'CallFault';
}

/** Faults of a request that say what is wrong with it. With a subject they are about a file of this machine. */
const OF_THE_REQUEST: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['corrupt', 'usage', 'unsupported']);

const SENTENCES: Readonly<Partial<Record<ErrorCode, string>>> = {
  unavailable: 'The search engine does not answer at the moment. Try again later.',
  rate_limited: 'The search engine is busy. Try again later.',
  timed_out: 'The search engine did not answer in time. Try again, or ask for less.',
  cancelled: 'The call was cancelled.',
};

/** The sentence for a model; undefined for a fault of ours, whose cause belongs into the log. */
export function sentenceOf(error: unknown): string | undefined {
  if (error instanceof CallFault) return error.message;
  if (!(error instanceof CrawlerError)) return undefined;
  if (OF_THE_REQUEST.has(error.code) && error.subject === undefined) return error.message;
  return SENTENCES[error.code];
}
