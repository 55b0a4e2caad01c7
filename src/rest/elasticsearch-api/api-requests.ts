import type { Request, Response } from 'express';
import type { SearchEngine } from '../../engine/engine.js';
import { requestSignal } from '../request-signal.js';
import { settledReadiness } from '../require-engine.js';
import type { RestContext } from '../rest-options.js';
import { pathParameter } from '../route.js';
import { ApiError } from './api-error.js';
import { knownIndices, resolveIndices } from './index-names.js';
import type { KnownIndices, ResolveOptions } from './index-names.js';
import { Cursors } from './paging/cursors.js';
import type { PointInTime } from './paging/point-in-time.js';
import type { Scroll } from './paging/scroll.js';

/** What the endpoints of `_engine` share: the engine, the names of its indices, and what clients have opened. */
export class ApiRequests {
  readonly context: RestContext;
  readonly scrolls = new Cursors<Scroll>('scroll');
  readonly pointsInTime = new Cursors<PointInTime>('point in time');

  constructor(context: RestContext) {
    this.context = context;
  }

  get engine(): SearchEngine {
    return this.context.engine;
  }

  /** Throws where there is no embedded index, or none yet. */
  async requireEngine(response: Response): Promise<void> {
    if (this.engine.type !== 'embedded') {
      throw new ApiError(
        404,
        'resource_not_found_exception',
        'This job has no embedded index: ask the search engine of engine.urls itself',
      );
    }
    const state = await settledReadiness(this.context, response);
    if (!state.ready) throw new ApiError(503, 'unavailable_exception', state.message);
  }

  signal(response: Response): AbortSignal {
    return requestSignal(response, this.context.stopping);
  }

  async known(signal: AbortSignal): Promise<KnownIndices> {
    return knownIndices(await this.engine.indices(signal), this.context);
  }

  /** The indices that the path of a request names; all of them without a name. */
  async indices(request: Request, signal: AbortSignal, options: ResolveOptions = {}): Promise<readonly string[]> {
    return resolveIndices(await this.known(signal), namedIn(request), options);
  }
}

/** The index part of the path, when it has one. */
export function namedIn(request: Request): string | undefined {
  return request.params['index'] === undefined ? undefined : pathParameter(request, 'index');
}

/** Of an answer that concerns so many indices, each of which is one shard. */
export function shardsOf(indices: number): Readonly<Record<string, number>> {
  return { total: indices, successful: indices, skipped: 0, failed: 0 };
}
