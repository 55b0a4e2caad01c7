import type { FacetResult, FacetValue } from '../api.js';
import { ForeignText } from '../parts/foreign-text.js';
import { text } from '../text/en.js';
import { toggled, withValues } from '../url-state.js';

interface FacetPanelProps {
  readonly facets: FacetResult | undefined;
  readonly search: URLSearchParams;
  readonly onSearch: (search: URLSearchParams) => void;
}

const ORDER = ['folder', 'type', 'modified', 'size', 'author', 'language', 'ext', 'problem', 'tag'] as const;
/** More than the eye takes in at once is folded away. */
const SHOWN = 6;

export function FacetPanel({ facets, search, onSearch }: FacetPanelProps) {
  return (
    <>
      {ORDER.map((name) => {
        const values = facets?.facets[name] ?? [];
        if (values.length === 0) return null;
        return (
          <fieldset key={name} class="facet">
            <legend>{text.facets[name]}</legend>
            {values.slice(0, SHOWN).map((value) => (
              <FacetLine key={value.value} name={name} value={value} search={search} onSearch={onSearch} />
            ))}
            {values.length > SHOWN && (
              <details>
                <summary>{text.more}</summary>
                {values.slice(SHOWN).map((value) => (
                  <FacetLine key={value.value} name={name} value={value} search={search} onSearch={onSearch} />
                ))}
              </details>
            )}
          </fieldset>
        );
      })}
    </>
  );
}

interface FacetLineProps extends Pick<FacetPanelProps, 'search' | 'onSearch'> {
  readonly name: (typeof ORDER)[number];
  readonly value: FacetValue;
}

function FacetLine({ name, value, search, onSearch }: FacetLineProps) {
  return (
    <label class="value">
      <input
        type="checkbox"
        checked={isChosen(name, value, search)}
        onChange={() => onSearch(chosen(name, value, search))}
      />
      <span class="words">
        <ForeignText text={labelOf(name, value.value)} />
      </span>
      <span class="count">{text.number(value.count)}</span>
    </label>
  );
}

/** Ranges are two parameters of the address. */
function boundsOf(name: string, { from = '', to = '' }: FacetValue): Readonly<Record<string, string>> | undefined {
  return name === 'modified' || name === 'size' ? { [`${name}_from`]: from, [`${name}_to`]: to } : undefined;
}

function isChosen(name: string, value: FacetValue, search: URLSearchParams): boolean {
  const bounds = boundsOf(name, value);
  if (bounds === undefined) return search.has(name, value.value);
  return Object.entries(bounds).every(([parameter, bound]) => (search.get(parameter) ?? '') === bound);
}

function chosen(name: string, value: FacetValue, search: URLSearchParams): URLSearchParams {
  const bounds = boundsOf(name, value);
  if (bounds !== undefined) {
    const others = Object.fromEntries(Object.keys(bounds).map((parameter) => [parameter, '']));
    return withValues(search, isChosen(name, value, search) ? others : bounds);
  }
  // Folders lie within each other: one at a time.
  if (name === 'folder') return withValues(search, { folder: search.has(name, value.value) ? '' : value.value });
  return toggled(search, name, value.value);
}

export function labelOf(name: string, value: string): string {
  if (name === 'type') return text.types[value] ?? value;
  if (name === 'modified' || name === 'size') return text.values[value] ?? value;
  // `external.team:a`
  if (name === 'tag') return value.replace(/^external\./, '').replace(':', ': ');
  return value;
}
