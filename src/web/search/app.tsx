import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { KeysDialog } from '../parts/keys-dialog.js';
import { PageHeader } from '../parts/page-header.js';
import { SignIn } from '../parts/sign-in.js';
import { useSession, useStatus, useVerification } from '../parts/use-service.js';
import { text } from '../text/en.js';
import { DocumentPane } from './document-pane.js';
import { FacetPanel } from './facet-panel.js';
import { FilterChips } from './filter-chips.js';
import { pageOf } from './hit-list.js';
import { Results, type ResultsProps } from './results.js';
import { SearchForm } from './search-form.js';
import { useAddress } from './use-address.js';
import { useKeys } from './use-keys.js';
import { useSearch } from './use-search.js';

/** The search page: what is asked for, what is found, and the document that is open. */
export function App() {
  const [state, go] = useAddress();
  const [found, actions] = useSearch(state.search.toString());
  const [current, setCurrent] = useState(0);
  const [showsKeys, setShowsKeys] = useState(false);
  const opener = useRef<string | undefined>(undefined);

  const open = useCallback(
    (document: string, page: number | undefined) => {
      opener.current = document;
      go({ ...state, document, page });
    },
    [state, go],
  );
  const close = useCallback(() => {
    go({ ...state, document: undefined, page: undefined });
    focusHit(found.hits.findIndex(({ id }) => id === opener.current));
  }, [state, go, found.hits]);
  const search = useCallback(
    (parameters: URLSearchParams, how?: 'push' | 'replace') => {
      setCurrent(0);
      go({ search: parameters, document: undefined, page: undefined }, how);
    },
    [go],
  );
  useKeys(useShortcuts({ state, found, current, open, close, onKeys: () => setShowsKeys(true) }));

  const { document: id } = state;
  return (
    <div class={id === undefined ? 'page' : 'page with-document'}>
      <ServiceHeader onKeys={() => setShowsKeys(true)} />
      <SearchForm search={state.search} fault={found.fault} isBusy={found.isBusy} onSearch={search} />
      <aside class="facets" aria-label={text.filters}>
        <FoldedFacets>
          <FacetPanel facets={found.facets} search={state.search} onSearch={search} />
        </FoldedFacets>
      </aside>
      <main class="list" aria-busy={found.isBusy}>
        <FilterChips search={state.search} onSearch={search} />
        <Results {...{ found, actions, state, current }} onOpen={open} onFocus={setCurrent} onSearch={search} />
      </main>
      {id !== undefined && (
        <section class="pane" aria-label={text.document}>
          <DocumentPane
            id={id}
            q={state.search.get('q') ?? ''}
            page={state.page}
            onPage={(page) => go({ ...state, page })}
            onClose={close}
          />
        </section>
      )}
      <KeysDialog isOpen={showsKeys} onClose={() => setShowsKeys(false)} />
    </div>
  );
}

/** What the service is and does, and signing in to it. */
function ServiceHeader({ onKeys }: { readonly onKeys: () => void }) {
  const { session, refresh } = useSession();
  const { value: status } = useStatus();
  const { value: verification } = useVerification();
  return (
    <>
      <PageHeader page="search" session={session} status={status} truth={verification?.truth}>
        <button type="button" class="plain" onClick={onKeys}>
          {text.keys}
        </button>
      </PageHeader>
      <SignIn onDone={refresh} />
    </>
  );
}

const WIDE = '(min-width: 64rem)';

/** Beside the list where there is room, otherwise folded away above it. */
function FoldedFacets({ children }: { readonly children: ComponentChildren }) {
  const [isWide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const change = (): void => setWide(query.matches);
    query.addEventListener('change', change);
    return () => query.removeEventListener('change', change);
  }, []);
  if (isWide) return <>{children}</>;
  return (
    <details>
      <summary>{text.filters}</summary>
      {children}
    </details>
  );
}

interface ShortcutParts extends Pick<ResultsProps, 'state' | 'found' | 'current'> {
  readonly open: (id: string, page: number | undefined) => void;
  readonly close: () => void;
  readonly onKeys: () => void;
}

function useShortcuts({ state, found, current, open, close, onKeys }: ShortcutParts): Record<string, () => void> {
  return useMemo(() => {
    const { hits } = found;
    const move = (step: number): void => focusHit(isHitFocused() ? current + step : current);
    const neighbour = (step: number): void => {
      const hit = hits[hits.findIndex(({ id }) => id === state.document) + step];
      if (hit !== undefined && state.document !== undefined) open(hit.id, pageOf(hit));
    };
    return {
      '/': () => document.querySelector<HTMLInputElement>('input[type=search]')?.select(),
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      j: () => move(1),
      k: () => move(-1),
      ']': () => neighbour(1),
      '[': () => neighbour(-1),
      ...Object.fromEntries(['n', 'N', 'o', 'd', 'y', 'Y'].map((key) => [key, () => press(key)])),
      '?': onKeys,
      Escape: () => (state.document === undefined ? (document.activeElement as HTMLElement | null)?.blur() : close()),
    };
  }, [state, found, current, open, close, onKeys]);
}

/** The control of the document that has the key. */
function press(key: string): void {
  document.querySelector<HTMLElement>(`[data-key="${key}"]`)?.click();
}

function isHitFocused(): boolean {
  return document.activeElement?.classList.contains('name') ?? false;
}

function focusHit(at: number): void {
  document.querySelectorAll<HTMLElement>('.hits .name')[at]?.focus();
}
