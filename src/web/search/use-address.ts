import { useCallback, useEffect, useState } from 'preact/hooks';
import { addressOf, readState, type PageState } from '../url-state.js';

/** The state of the page in its address. `replace` leaves no step for Back. */
export function useAddress(): readonly [PageState, (state: PageState, how?: 'push' | 'replace') => void] {
  const [state, setState] = useState(() => readState(location.search));
  useEffect(() => {
    const back = (): void => setState(readState(location.search));
    addEventListener('popstate', back);
    return () => removeEventListener('popstate', back);
  }, []);
  const go = useCallback((next: PageState, how: 'push' | 'replace' = 'push') => {
    const address = addressOf(next);
    if (how === 'push') history.pushState(null, '', address);
    else history.replaceState(null, '', address);
    setState(next);
  }, []);
  return [state, go];
}
