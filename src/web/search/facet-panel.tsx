import { useEffect, useState } from 'preact/hooks';
import { ask, type FacetResult, type FacetValue } from '../api.js';
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
/** What the service counts by itself; there may be more values. */
const COUNTED = 20;
const MOST = 200;

export function FacetPanel({ facets, search, onSearch }: FacetPanelProps) {
  return (
    <>
      {ORDER.map((name) => {
        const values = facets?.facets[name] ?? [];
        return values.length > 0 && <Facet key={name} {...{ name, values, search, onSearch }} />;
      })}
    </>
  );
}

type FacetName = (typeof ORDER)[number];

interface FacetProps extends Pick<FacetPanelProps, 'search' | 'onSearch'> {
  readonly name: FacetName;
  readonly values: readonly FacetValue[];
}

function Facet({ name, values, search, onSearch }: FacetProps) {
  const [all, setAll] = useState<readonly FacetValue[]>();
  const [wanted, setWanted] = useState('');
  useEffect(() => setAll(undefined), [values]);
  const showAll = async (): Promise<void> => {
    const parameters = new URLSearchParams(search);
    parameters.set('facets', name);
    parameters.set('size', String(MOST));
    const { facets } = await ask<FacetResult>('_find/facets', parameters);
    setAll(facets[name]);
  };
  const listed = (all ?? values).slice(SHOWN);
  const found = listed.filter(({ value }) => labelOf(name, value).toLowerCase().includes(wanted.toLowerCase()));
  const line = (value: FacetValue) => <FacetLine key={value.value} {...{ name, value, search, onSearch }} />;
  return (
    <fieldset class="facet">
      <legend>{text.facets[name]}</legend>
      {values.slice(0, SHOWN).map(line)}
      {listed.length > 0 && (
        <details>
          <summary>{text.more}</summary>
          {listed.length > COUNTED && (
            <input
              type="search"
              aria-label={text.filterValues(text.facets[name])}
              placeholder={text.filterValues(text.facets[name])}
              value={wanted}
              onInput={({ currentTarget: { value } }) => setWanted(value)}
            />
          )}
          {found.map(line)}
          {values.length === COUNTED && all === undefined && (
            <button type="button" class="plain" onClick={() => void showAll().catch(() => undefined)}>
              {text.allValues}
            </button>
          )}
        </details>
      )}
    </fieldset>
  );
}

interface FacetLineProps extends Pick<FacetPanelProps, 'search' | 'onSearch'> {
  readonly name: FacetName;
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
