import type { Request } from 'express';
import { ApiError, unsupported } from './api-answer.js';

/**
 * Parameters of a URL. Those that change an answer must be known: one that is not is refused by name, never ignored. The
 * rest concerns caches and shards, of which there are none here.
 */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(
  [
    'pretty human error_trace request_cache preference ccs_minimize_roundtrips max_concurrent_shard_requests',
    'pre_filter_shard_size batched_reduce_size realtime refresh',
  ]
    .join(' ')
    .split(' '),
);

export class UrlParameters {
  readonly #values: ReadonlyMap<string, string>;

  /** Throws when the URL holds a parameter that is not among `known`. */
  constructor(request: Request, known: readonly string[]) {
    const values = new Map<string, string>();
    for (const [name, value] of Object.entries(request.query)) {
      if (WITHOUT_EFFECT.has(name)) continue;
      if (!known.includes(name)) throw unsupported(`The parameter [${name}]`);
      const [first]: unknown[] = Array.isArray(value) ? value : [value];
      values.set(name, typeof first === 'string' ? first : '');
    }
    this.#values = values;
  }

  text(name: string): string | undefined {
    return this.#values.get(name);
  }

  list(name: string): readonly string[] | undefined {
    return this.text(name)
      ?.split(',')
      .filter((each) => each !== '');
  }

  /** A parameter without a value is true, as in Elasticsearch. */
  flag(name: string): boolean | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (value === '' || value === 'true') return true;
    if (value === 'false') return false;
    throw invalid(name, 'true or false');
  }

  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^\d{1,9}$/.test(value)) throw invalid(name, 'a whole number');
    return Number(value);
  }
}

function invalid(name: string, wanted: string): ApiError {
  return new ApiError(400, 'illegal_argument_exception', `The parameter [${name}] must be ${wanted}`);
}
