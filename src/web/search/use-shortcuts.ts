import { useMemo } from 'preact/hooks';
import { addressOf } from '../parts/page-header.js';
import { goTo, type Shortcuts } from '../parts/use-keys.js';
import { pageOf } from './hit-list.js';
import { addressOfWhy } from './messages.js';
import type { ResultsProps } from './results.js';

export interface ShortcutParts extends Pick<ResultsProps, 'state' | 'found' | 'current'> {
  readonly open: (id: string, page: number | undefined, how?: 'preview') => void;
  readonly close: () => void;
  readonly onKeys: () => void;
}

/** What the keys of the search page do. */
export function useShortcuts(parts: ShortcutParts): Shortcuts {
  const { state, found, current, open, close, onKeys } = parts;
  return useMemo(
    () => ({
      '/': () => document.querySelector<HTMLInputElement>('input[type=search]')?.select(),
      ...listKeys(parts),
      ...Object.fromEntries(['n', 'N', 'o', 'd', 'y', 'Y'].map((key) => [key, () => press(key)])),
      f: toFilters,
      g: () => goTo(addressOf('operator')),
      w: () => goTo(addressOfWhy(pathInHand(parts) ?? state.search.get('q') ?? '')),
      '?': onKeys,
      Escape: () => (state.document === undefined ? (document.activeElement as HTMLElement | null)?.blur() : close()),
    }),
    [state, found, current, open, close, onKeys],
  );
}

function listKeys({ state, found: { hits }, current, open, close }: ShortcutParts): Shortcuts {
  const move = (step: number): void => focusHit(isHitFocused() ? current + step : current);
  const neighbour = (step: number): void => {
    const hit = hits[hits.findIndex(({ id }) => id === state.document) + step];
    if (hit !== undefined && state.document !== undefined) open(hit.id, pageOf(hit));
  };
  return {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    j: () => move(1),
    k: () => move(-1),
    ']': () => neighbour(1),
    '[': () => neighbour(-1),
    ' ': () => {
      const hit = hits[current];
      if (!isHitFocused() || hit === undefined) return;
      if (hit.id === state.document) close();
      else open(hit.id, pageOf(hit), 'preview');
    },
  };
}

/** Of the document that is open, or of the hit that has the focus. */
function pathInHand({ state, found: { hits }, current }: ShortcutParts): string | undefined {
  const hit = state.document === undefined ? hits[current] : hits.find(({ id }) => id === state.document);
  const isMeant = state.document !== undefined || isHitFocused();
  return isMeant && hit?.origin === 'crawl' ? (hit.path ?? undefined) : undefined;
}

/** The first one; where there is little room they are folded away. */
function toFilters(): void {
  const folded = document.querySelector<HTMLDetailsElement>('.facets > details');
  if (folded !== null) folded.open = true;
  document.querySelector<HTMLElement>('.facets input')?.focus();
}

/** The control of the document that has the key. */
function press(key: string): void {
  document.querySelector<HTMLElement>(`[data-key="${key}"]`)?.click();
}

function isHitFocused(): boolean {
  return document.activeElement?.classList.contains('name') ?? false;
}

export function focusHit(at: number): void {
  document.querySelectorAll<HTMLElement>('.hits .name')[at]?.focus();
}
