import type { SuggestionResult } from '../api.js';
import { ForeignText } from '../parts/foreign-text.js';
import { text } from '../text/en.js';
import { languageSuffix } from '../text/locale.js';

interface NothingFoundProps {
  /** What was searched for. */
  readonly query: string;
  readonly suggestions: SuggestionResult | undefined;
  readonly onSearch: (search: URLSearchParams) => void;
}

/** Which word is missing, and what would find something. */
export function NothingFound({ query, suggestions, onSearch }: NothingFoundProps) {
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
              <Change change={change} query={query} /> {text.documents(total, 'eq')}
            </button>
          </li>
        ))}
      </ul>
      <p>
        <a class="button to-operator" href={addressOfWhy(query)}>
          {text.whyNotFound}
        </a>
      </p>
    </div>
  );
}

interface ChangeProps {
  readonly change: string;
  /** Parameters of an address. */
  readonly query: string;
}

function Change({ change, query }: ChangeProps) {
  if (change !== 'spelling') return <>{text.relaxed(change)}:</>;
  return <ForeignText text={text.meant(new URLSearchParams(query).get('q') ?? '')} />;
}

/** The operator's page tells where a file stands. */
export function addressOfWhy(pathOrName: string): string {
  const parts = [languageSuffix, new URLSearchParams({ why: pathOrName }).toString()];
  return `operator?${parts.filter((part) => part !== '').join('&')}`;
}
