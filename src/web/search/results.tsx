import { AwayBanner } from '../parts/away-banner.js';
import { ForeignText } from '../parts/foreign-text.js';
import { text } from '../text/en.js';
import { unknownParameters, withValues, type PageState } from '../url-state.js';
import { HitList } from './hit-list.js';
import { NothingFound } from './messages.js';
import type { SearchActions, Searched } from './use-search.js';

export interface ResultsProps {
  readonly found: Searched;
  readonly actions: SearchActions;
  readonly state: PageState;
  readonly current: number;
  readonly onOpen: (id: string, page: number | undefined) => void;
  readonly onFocus: (at: number) => void;
  readonly onSearch: (search: URLSearchParams) => void;
}

/** How many documents there are, the documents, and what to do when there are none. */
export function Results(props: ResultsProps) {
  const { found, actions, state, current, onOpen, onFocus, onSearch } = props;
  const { result, hits, isBusy } = found;
  const isBlank = state.search.toString() === '';
  return (
    <>
      <Notices found={found} actions={actions} />
      <Ignored names={unknownParameters(location.search)} />
      <div class="summary">
        <p role="status">{summaryOf(found)}</p>
        {!isBlank && <CountAll result={result} onCount={actions.countAll} />}
        {!isBlank && hits.length > 1 && <Sort search={state.search} onSearch={onSearch} />}
      </div>
      {isBlank && hits.length > 0 && <h2 class="recent">{text.recent}</h2>}
      {result?.total === 0 && <None {...props} isBlank={isBlank} />}
      <div class={isBusy ? 'results waiting' : 'results'}>
        <HitList hits={hits} state={state} current={current} onOpen={onOpen} onFocus={onFocus} />
        {typeof result?.next === 'string' && !isBlank && (
          <button type="button" class="more" disabled={isBusy} onClick={actions.more}>
            {text.more}
          </button>
        )}
      </div>
    </>
  );
}

/** An address may have been damaged on its way. */
function Ignored({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p class="note" role="status">
      {text.unknownParameters} <ForeignText text={names.join(', ')} />
    </p>
  );
}

function CountAll({ result, onCount }: { readonly result: Searched['result']; readonly onCount: () => void }) {
  if (result?.total_relation !== 'gte') return null;
  return (
    <button type="button" class="plain" onClick={onCount}>
      {text.countAll}
    </button>
  );
}

function Notices({ found: { fault, isSlow }, actions }: Pick<ResultsProps, 'found' | 'actions'>) {
  return (
    <>
      {fault !== undefined && fault.status !== 400 && <AwayBanner fault={fault} onRetry={actions.retry} />}
      {isSlow && (
        <p class="slow">
          {text.stillSearching}{' '}
          <button type="button" class="plain" onClick={actions.stop}>
            {text.stop}
          </button>
        </p>
      )}
    </>
  );
}

function None({ found, state, onSearch, isBlank }: ResultsProps & { readonly isBlank: boolean }) {
  if (isBlank) {
    return (
      <div class="nothing">
        <h2>{text.empty}</h2>
        <p>{text.emptyAdvice}</p>
      </div>
    );
  }
  if (found.shown !== state.search.toString()) return null;
  return <NothingFound query={state.search.get('q') ?? ''} suggestions={found.suggestions} onSearch={onSearch} />;
}

function summaryOf({ result, shown }: Searched): string {
  if (result === undefined || result.total === 0) return '';
  const documents = text.documents(result.total, result.total_relation);
  return shown === '' ? documents : `${documents} · ${text.seconds(result.took)}`;
}

function Sort({ search, onSearch }: Pick<ResultsProps, 'onSearch'> & { readonly search: URLSearchParams }) {
  return (
    <label class="sort">
      <span>{text.sort}</span>
      <select
        value={search.get('sort') ?? 'relevance'}
        onChange={({ currentTarget: { value } }) => {
          onSearch(withValues(search, { sort: value === 'relevance' ? '' : value }));
        }}
      >
        {Object.entries(text.sorts).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
