import { formatSize } from '../format.js';
import { ForeignText } from '../parts/foreign-text.js';
import { text } from '../text/en.js';
import { FILTERS, toggled, withoutFilters, withValues } from '../url-state.js';
import { labelOf } from './facet-panel.js';

interface FilterChipsProps {
  readonly search: URLSearchParams;
  readonly onSearch: (search: URLSearchParams) => void;
}

/** Every filter that is set, each with a button that takes it away. */
export function FilterChips({ search, onSearch }: FilterChipsProps) {
  const set = FILTERS.flatMap((name) => search.getAll(name).map((value) => ({ name, value })));
  const isAny = search.get('any') === 'true';
  if (set.length === 0 && !isAny) return null;
  return (
    <ul class="chips">
      {isAny && (
        <li>
          <button type="button" class="chip" onClick={() => onSearch(withValues(search, { any: '' }))}>
            {text.relaxed('any')} <span aria-hidden="true">✕</span>
          </button>
        </li>
      )}
      {set.map(({ name, value }) => (
        <li key={`${name}:${value}`}>
          <button
            type="button"
            class="chip"
            aria-label={text.removeFilter(text.facets[name] ?? name, valueOf(name, value))}
            onClick={() => onSearch(toggled(search, name, value))}
          >
            {text.facets[name] ?? name}: <ForeignText text={valueOf(name, value)} /> <span aria-hidden="true">✕</span>
          </button>
        </li>
      ))}
      {set.length > 1 && (
        <li>
          <button type="button" class="plain" onClick={() => onSearch(withoutFilters(search))}>
            {text.clearFilters}
          </button>
        </li>
      )}
    </ul>
  );
}

function valueOf(name: string, value: string): string {
  return name.startsWith('size_') && /^\d+$/.test(value) ? formatSize(Number(value)) : labelOf(name, value);
}
