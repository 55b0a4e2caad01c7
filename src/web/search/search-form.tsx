import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiFault } from '../api.js';
import { text } from '../text/en.js';
import { withValues } from '../url-state.js';

interface SearchFormProps {
  readonly search: URLSearchParams;
  readonly fault: ApiFault | undefined;
  readonly isBusy: boolean;
  readonly onSearch: (search: URLSearchParams, how?: 'push' | 'replace') => void;
}

const PAUSE_MS = 400;
const LEAST = 3;

/** Searches with Enter, and while somebody types: after a pause, when nothing is being searched. */
export function SearchForm({ search, fault, isBusy, onSearch }: SearchFormProps) {
  const asked = search.get('q') ?? '';
  const [typed, setTyped] = useState(asked);
  const field = useRef<HTMLInputElement>(null);
  // Back, a suggestion or a pasted address has asked for something else.
  useEffect(() => setTyped(asked), [asked]);
  useEffect(() => {
    if (asked === '') field.current?.focus();
  }, []);
  useEffect(() => {
    if (typed === asked || typed.trim().length < LEAST || isBusy) return undefined;
    const timer = setTimeout(() => onSearch(withValues(search, { q: typed }), 'replace'), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, isBusy]);
  const isWrong = fault?.status === 400;
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(withValues(search, { q: typed.trim() }));
      }}
    >
      <div class="field">
        <input
          ref={field}
          type="search"
          name="q"
          value={typed}
          aria-label={text.searchFor}
          aria-describedby="search-help"
          aria-invalid={isWrong}
          autocomplete="off"
          spellcheck={false}
          maxLength={2000}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <button type="submit" class="primary">
          {text.search}
        </button>
      </div>
      <p id="search-help" class={isWrong ? 'fault' : 'help'} role={isWrong ? 'alert' : undefined}>
        {isWrong ? fault.message : text.help}
      </p>
    </form>
  );
}
