import { useEffect, useState } from 'preact/hooks';
import type { ApiFault, SuggestionResult } from '../api.js';
import { ForeignText } from '../parts/foreign-text.js';
import { text } from '../text/en.js';

const FIRST_S = 2;
const LONGEST_S = 30;

/** A service or an engine that is away is asked again, after 2, 4, 8 … 30 seconds; what is shown stays. */
export function AwayBanner({ fault, onRetry }: { readonly fault: ApiFault; readonly onRetry: () => void }) {
  const [tries, setTries] = useState(0);
  const [left, setLeft] = useState(FIRST_S);
  useEffect(() => {
    setLeft(Math.min(LONGEST_S, FIRST_S * 2 ** tries));
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

interface NothingFoundProps {
  readonly suggestions: SuggestionResult | undefined;
  readonly onSearch: (search: URLSearchParams) => void;
}

/** Which word is missing, and what would find something. */
export function NothingFound({ suggestions, onSearch }: NothingFoundProps) {
  const missing = suggestions?.words.filter(({ total }) => total === 0) ?? [];
  return (
    <div class="nothing">
      <h2>{text.nothing}</h2>
      {missing.map(({ word }) => (
        <p key={word}>
          <ForeignText text={text.missingWord(word)} />
        </p>
      ))}
      <ul>
        {suggestions?.relaxed.map(({ change, query, total }) => (
          <li key={query}>
            <button type="button" class="plain" onClick={() => onSearch(new URLSearchParams(query))}>
              {text.relaxed(change)}: {text.documents(total, 'eq')}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
