import { useCallback, useEffect, useState } from 'preact/hooks';
import { ApiFault, ask, type DocumentView, type TextBlock, type TextPosition, type TextWindow } from '../api.js';

/** An open document with as much of its text as was read. */
export interface OpenedDocument {
  readonly view: DocumentView | undefined;
  readonly blocks: readonly TextBlock[];
  readonly window: TextWindow | undefined;
  readonly before: TextPosition | null;
  readonly behind: TextPosition | null;
  readonly fault: ApiFault | undefined;
}

/** Reads on from a place at one end of what was read. */
export type ReadOn = (place: TextPosition, side: 'before' | 'behind') => Promise<void>;

const NOTHING: OpenedDocument = {
  view: undefined,
  blocks: [],
  window: undefined,
  before: null,
  behind: null,
  fault: undefined,
};

/** A document and the text from a page on, with the words of the search marked; more of it on both sides when asked for. */
export function useDocument(id: string, q: string, page: number | undefined): readonly [OpenedDocument, ReadOn] {
  const [state, setState] = useState(NOTHING);
  const path = `_document/${encodeURIComponent(id)}`;

  useEffect(() => {
    const control = new AbortController();
    setState((before) => (before.view?.id === id ? before : NOTHING));
    const load = async (): Promise<void> => {
      const [view, window] = await Promise.all([
        ask<DocumentView>(path, new URLSearchParams(), control.signal),
        ask<TextWindow>(`${path}/text`, parametersOf(q, page === undefined ? undefined : { page }, 3), control.signal),
      ]);
      setState({ view, window, blocks: window.blocks, before: window.previous, behind: window.next, fault: undefined });
    };
    load().catch((error: unknown) => {
      if (control.signal.aborted) return;
      setState({ ...NOTHING, fault: error instanceof ApiFault ? error : new ApiFault(0, '') });
    });
    return () => control.abort();
  }, [path, id, q, page]);

  const readOn = useCallback<ReadOn>(
    async (place, side) => {
      const window = await ask<TextWindow>(`${path}/text`, parametersOf(q, place, side === 'before' ? 1 : 3));
      setState((known) => {
        if (known.view?.id !== id) return known;
        if (side === 'behind') return { ...known, blocks: [...known.blocks, ...window.blocks], behind: window.next };
        const first = known.blocks[0]?.from ?? 0;
        const earlier = window.blocks.filter(({ from }) => from < first);
        return { ...known, blocks: [...earlier, ...known.blocks], before: window.previous };
      });
    },
    [path, id, q],
  );
  return [state, readOn];
}

function parametersOf(q: string, place: TextPosition | undefined, pages: number): URLSearchParams {
  const parameters = new URLSearchParams();
  if (q !== '') parameters.set('q', q);
  if (place !== undefined && 'page' in place) {
    parameters.set('page', String(place.page));
    parameters.set('pages', String(pages));
  } else if (place !== undefined) parameters.set('from', String(place.from));
  return parameters;
}
