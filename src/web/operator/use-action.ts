import { useCallback, useRef, useState } from 'preact/hooks';
import { ApiFault } from '../api.js';
import { text } from '../text/en.js';

export interface Action {
  readonly isBusy: boolean;
  /** What the service said last. */
  readonly message: string | undefined;
  readonly failed: boolean;
  /** Does one thing at a time. Resolves when it is done, whether it succeeded or not. */
  readonly run: (work: () => Promise<{ readonly message?: string } | undefined>) => Promise<void>;
}

/** Something that a button does, and what came of it. */
export function useAction(): Action {
  const [state, setState] = useState<Omit<Action, 'run'>>({ isBusy: false, message: undefined, failed: false });
  const isBusy = useRef(false);
  const run = useCallback<Action['run']>(async (work) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setState({ isBusy: true, message: undefined, failed: false });
    try {
      setState({ isBusy: false, message: (await work())?.message, failed: false });
    } catch (error) {
      const message = error instanceof ApiFault && error.message !== '' ? error.message : text.away(0);
      setState({ isBusy: false, message, failed: true });
    } finally {
      isBusy.current = false;
    }
  }, []);
  return { ...state, run };
}
