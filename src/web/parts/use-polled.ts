import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiFault, ask } from '../api.js';

export interface Polled<Answer> {
  /** The last answer; it stays while the service is away. */
  readonly value: Answer | undefined;
  /** Why there is no newer one. */
  readonly fault: ApiFault | undefined;
  /** Asks now. */
  readonly refresh: () => void;
}

const NONE = new URLSearchParams();
const AWAY_MS = 10_000;

/**
 * Asks for the same thing again and again, but not while nobody looks at the page, and never twice at the same time.
 * @param everyMs how long to wait after this answer
 */
export function usePolled<Answer>(path: string | undefined, everyMs: (answer: Answer) => number): Polled<Answer> {
  const [state, setState] = useState<Pick<Polled<Answer>, 'value' | 'fault'>>({ value: undefined, fault: undefined });
  const poll = useRef<() => void>(() => undefined);
  const every = useRef(everyMs);
  every.current = everyMs;
  useEffect(() => {
    if (path === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    let isAsking = false;
    // What is on its way may have been answered before whatever has changed since.
    let isStale = false;
    const later = (ms: number): void => {
      clearTimeout(timer);
      if (!isOver) timer = setTimeout(now, ms);
    };
    const asked = async (): Promise<number> => {
      try {
        const value = await ask<Answer>(path, NONE);
        if (!isOver) setState({ value, fault: undefined });
        return every.current(value);
      } catch (error) {
        const fault = error instanceof ApiFault ? error : new ApiFault(0, '');
        if (!isOver) setState((before) => ({ ...before, fault }));
        return AWAY_MS;
      }
    };
    const now = (): void => {
      isStale = isAsking;
      if (isAsking || isOver) return;
      if (document.hidden) return clearTimeout(timer);
      isAsking = true;
      void asked().then((ms) => {
        isAsking = false;
        later(isStale ? 0 : ms);
      });
    };
    poll.current = now;
    const seen = (): void => {
      if (!document.hidden) now();
    };
    document.addEventListener('visibilitychange', seen);
    now();
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [path]);
  return { ...state, refresh: useCallback(() => poll.current(), []) };
}
