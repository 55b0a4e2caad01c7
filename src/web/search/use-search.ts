import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiFault, ask, type FacetResult, type FindResult, type FoundDocument, type SuggestionResult } from '../api.js';

/** What a search has brought so far. Hits of the search before stay until the next ones are there. */
export interface Searched {
  /** Parameters of the search whose hits these are. */
  readonly shown: string | undefined;
  readonly result: FindResult | undefined;
  readonly hits: readonly FoundDocument[];
  readonly facets: FacetResult | undefined;
  readonly suggestions: SuggestionResult | undefined;
  readonly isBusy: boolean;
  /** It takes longer than people wait without being told. */
  readonly isSlow: boolean;
  readonly fault: ApiFault | undefined;
}

const NOTHING: Searched = {
  shown: undefined,
  result: undefined,
  hits: [],
  facets: undefined,
  suggestions: undefined,
  isBusy: false,
  isSlow: false,
  fault: undefined,
};

const SLOW_MS = 2000;
const FACETS = 'folder,type,modified,size,author,language,ext,problem,tag';

export interface SearchActions {
  readonly more: () => void;
  /** Counts beyond the first thousands, too. */
  readonly countAll: () => void;
  readonly retry: () => void;
  readonly stop: () => void;
}

/** Searches whenever the parameters change: hits first, then counts, and what to try when there are none. */
export function useSearch(search: string): readonly [Searched, SearchActions] {
  const [state, setState] = useState(NOTHING);
  const [attempt, setAttempt] = useState(0);
  const running = useRef<AbortController | null>(null);

  useEffect(() => {
    const control = new AbortController();
    running.current = control;
    const change = (part: Partial<Searched>): void => {
      if (!control.signal.aborted) setState((before) => ({ ...before, ...part }));
    };
    change({ isBusy: true, isSlow: false });
    // Counts may take longer: the hits are there.
    const slow = setTimeout(() => setState((before) => ({ ...before, isSlow: before.isBusy })), SLOW_MS);
    void findAll(search, control.signal, change).finally(() => clearTimeout(slow));
    return () => {
      clearTimeout(slow);
      control.abort();
    };
  }, [search, attempt]);

  const more = useCallback(() => {
    const { result } = state;
    const control = running.current;
    if (result === undefined || result.next === null || control === null) return;
    const parameters = findParameters(search);
    parameters.set('after', result.next);
    setState((before) => ({ ...before, isBusy: true }));
    void ask<FindResult>('_find', parameters, control.signal).then(
      (next) =>
        // Pages that follow count nothing: all of them may be counted by now.
        setState((before) => ({
          ...before,
          isBusy: false,
          result: { ...next, ...countOf(result) },
          hits: [...before.hits, ...next.hits],
        })),
      (error: unknown) => {
        if (!control.signal.aborted) setState((before) => ({ ...before, isBusy: false, fault: faultOf(error) }));
      },
    );
  }, [search, state]);
  const countAll = useCallback(() => {
    const signal = running.current?.signal ?? AbortSignal.abort();
    void countExactly(search, signal).then(
      (count) => setState(({ result, ...before }) => ({ ...before, result: result && { ...result, ...count } })),
      (error: unknown) => {
        if (!signal.aborted) setState((before) => ({ ...before, fault: faultOf(error) }));
      },
    );
  }, [search]);
  const retry = useCallback(() => setAttempt((before) => before + 1), []);
  const stop = useCallback(() => {
    running.current?.abort();
    setState((before) => ({ ...before, isBusy: false, isSlow: false }));
  }, []);
  return [state, { more, countAll, retry, stop }];
}

async function findAll(search: string, signal: AbortSignal, change: (part: Partial<Searched>) => void): Promise<void> {
  try {
    const result = await ask<FindResult>('_find', findParameters(search), signal);
    const found = { result, hits: result.hits, shown: search, isBusy: false, isSlow: false, fault: undefined };
    change({ ...found, suggestions: undefined, ...(result.total === 0 ? { facets: undefined } : {}) });
    const parameters = new URLSearchParams(search);
    if (result.total > 0) {
      parameters.set('facets', FACETS);
      change({ facets: await ask<FacetResult>('_find/facets', parameters, signal) });
    } else if (search !== '') {
      change({ suggestions: await ask<SuggestionResult>('_find/suggestions', parameters, signal) });
    }
  } catch (error) {
    change({ isBusy: false, isSlow: false, fault: faultOf(error) });
  }
}

/** Where nothing is asked for, what was changed last is of use. */
function findParameters(search: string): URLSearchParams {
  return new URLSearchParams(search === '' ? 'sort=newest&size=10' : search);
}

type Count = Pick<FindResult, 'total' | 'total_relation'>;

async function countExactly(search: string, signal: AbortSignal): Promise<Count> {
  const parameters = findParameters(search);
  parameters.set('size', '0');
  parameters.set('count', 'exact');
  return countOf(await ask<FindResult>('_find', parameters, signal));
}

function countOf({ total, total_relation }: FindResult): Count {
  return { total, total_relation };
}

function faultOf(error: unknown): ApiFault {
  return error instanceof ApiFault ? error : new ApiFault(0, '');
}
