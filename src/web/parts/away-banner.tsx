import { useEffect, useState } from 'preact/hooks';
import type { ApiFault } from '../api.js';
import { text } from '../text/en.js';

const FIRST_S = 2;
const LONGEST_S = 30;

/** A service or an engine that is away is asked again, after 2, 4, 8 … 30 seconds, or when it says; what is shown stays. */
export function AwayBanner({ fault, onRetry }: { readonly fault: ApiFault; readonly onRetry: () => void }) {
  const [tries, setTries] = useState(0);
  const [left, setLeft] = useState(FIRST_S);
  useEffect(() => {
    setLeft(Math.max(fault.retryAfter, Math.min(LONGEST_S, FIRST_S * 2 ** tries)));
    setTries((before) => before + 1);
    // Each fault is an answer of its own: waiting begins anew with it.
  }, [fault]);
  useEffect(() => {
    if (left <= 0) {
      onRetry();
      return undefined;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left, onRetry]);
  return (
    <div class="banner" role="alert">
      <p>{fault.message === '' ? text.away(left) : fault.message}</p>
      <button type="button" onClick={onRetry}>
        {text.tryNow}
      </button>
    </div>
  );
}
