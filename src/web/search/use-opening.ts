import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { useAddress } from './use-address.js';
import type { Searched } from './use-search.js';
import { focusHit } from './use-shortcuts.js';

interface Opening {
  readonly open: (document: string, page: number | undefined, how?: 'preview') => void;
  readonly close: () => void;
  /** The focus stays in the list. */
  readonly isPreview: boolean;
}

/** Opens a document beside the list, and leads back to the hit that it was opened from. */
export function useOpening([state, go]: ReturnType<typeof useAddress>, hits: Searched['hits']): Opening {
  const opener = useRef<string | undefined>(undefined);
  const [isPreview, setIsPreview] = useState(false);
  const open: Opening['open'] = useCallback(
    (document, page, how) => {
      opener.current = document;
      // Where the document lies over the list, the focus cannot stay in the list.
      setIsPreview(how === 'preview' && matchMedia(WIDE).matches);
      go({ ...state, document, page });
    },
    [state, go],
  );
  const isClosed = useRef(false);
  const close = useCallback(() => {
    isClosed.current = true;
    go({ ...state, document: undefined, page: undefined });
  }, [state, go]);
  // Not before the list can be reached again: a document lies over it where there is little room.
  useLayoutEffect(() => {
    if (isClosed.current) focusHit(hits.findIndex(({ id }) => id === opener.current));
    isClosed.current = false;
  }, [state.document]);
  return { open, close, isPreview };
}

const WIDE = '(min-width: 64rem)';

/** There is room for the document beside the list. */
export function useWide(): boolean {
  const [isWide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const change = (): void => setWide(query.matches);
    query.addEventListener('change', change);
    return () => query.removeEventListener('change', change);
  }, []);
  return isWide;
}
