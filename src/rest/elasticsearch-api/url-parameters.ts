import type { Request } from 'express';
import { invalidArgument, unsupported } from './api-error.js';
import type { ApiError } from './api-error.js';
import type { ResolveOptions } from './index-names.js';

/**
 * Parameters of a URL. Those that change an answer must be known: one that is not is refused by name, never ignored. The
 * rest concerns the form of the answer (api-answer.ts), or caches, shards and waiting for other nodes, of which there are
 * none here.
 */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(
  [
    'pretty human error_trace filter_path request_cache preference ccs_minimize_roundtrips',
    'max_concurrent_shard_requests pre_filter_shard_size batched_reduce_size realtime refresh',
    'max_concurrent_searches local master_timeout ignore_throttled',
  ]
    .join(' ')
    .split(' '),
);

/** Which indices an expression stands for. None is hidden or closed, so that `expand_wildcards` has one effect only. */
export const INDEX_PARAMETERS = ['ignore_unavailable', 'allow_no_indices', 'expand_wildcards'];

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

  /** Refuses every value but these. */
  only(name: string, allowed: readonly string[]): void {
    const value = this.text(name);
    if (value !== undefined && !allowed.includes(value)) throw unsupported(`[${name}=${value}]`);
  }

  /** What INDEX_PARAMETERS say. */
  resolveOptions(): ResolveOptions {
    if (this.list('expand_wildcards')?.includes('none')) throw unsupported('[expand_wildcards=none]');
    return {
      ignoreMissing: this.flag('ignore_unavailable') ?? false,
      allowNone: this.flag('allow_no_indices') ?? true,
    };
  }
}

function invalid(name: string, wanted: string): ApiError {
  return invalidArgument(`The parameter [${name}] must be ${wanted}`);
}
