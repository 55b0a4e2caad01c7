import type { ComponentChildren } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import { KeysDialog } from '../parts/keys-dialog.js';
import { PageHeader } from '../parts/page-header.js';
import { SignIn } from '../parts/sign-in.js';
import { useKeys } from '../parts/use-keys.js';
import { useSession, useStatus, useVerification } from '../parts/use-service.js';
import { text } from '../text/en.js';
import { DocumentPane } from './document-pane.js';
import { FacetPanel } from './facet-panel.js';
import { FilterChips } from './filter-chips.js';
import { Results } from './results.js';
import { SearchForm } from './search-form.js';
import { useAddress } from './use-address.js';
import { useOpening, useWide } from './use-opening.js';
import { useSearch } from './use-search.js';
import { useShortcuts } from './use-shortcuts.js';

/** The search page: what is asked for, what is found, and the document that is open. */
export function App() {
  const [state, go] = useAddress();
  const [found, actions] = useSearch(state.search.toString());
  const [current, setCurrent] = useState(0);
  const [showsKeys, setShowsKeys] = useState(false);
  const { open, close, isPreview } = useOpening([state, go], found.hits);
  const search = useCallback(
    (parameters: URLSearchParams, how?: 'push' | 'replace') => {
      setCurrent(0);
      go({ search: parameters, document: undefined, page: undefined }, how);
    },
    [go],
  );
  useKeys(useShortcuts({ state, found, current, open, close, onKeys: () => setShowsKeys(true) }));

  const { document: id } = state;
  // What lies behind the document cannot be seen, and is not for the keyboard either.
  const isCovered = !useWide() && id !== undefined;
  return (
    <div class={id === undefined ? 'page' : 'page with-document'}>
      <ServiceHeader isCovered={isCovered} onKeys={() => setShowsKeys(true)} />
      <div class="behind" inert={isCovered}>
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
      </div>
      {id !== undefined && (
        <section class="pane" aria-label={text.document}>
          <DocumentPane
            id={id}
            q={state.search.get('q') ?? ''}
            page={state.page}
            isPreview={isPreview}
            onPage={(page, how) => go({ ...state, page }, how)}
            onClose={close}
          />
        </section>
      )}
      <KeysDialog table={text.keyTable} isOpen={showsKeys} onClose={() => setShowsKeys(false)} />
    </div>
  );
}

interface ServiceHeaderProps {
  readonly isCovered: boolean;
  readonly onKeys: () => void;
}

/** What the service is and does, and signing in to it. */
function ServiceHeader({ isCovered, onKeys }: ServiceHeaderProps) {
  const { session, refresh } = useSession();
  const { value: status } = useStatus();
  const { value: verification } = useVerification();
  return (
    <>
      <div class="behind" inert={isCovered}>
        <PageHeader page="search" session={session} status={status} truth={verification?.truth}>
          <button type="button" class="plain" onClick={onKeys}>
            {text.keys}
          </button>
        </PageHeader>
      </div>
      <SignIn onDone={refresh} />
    </>
  );
}

/** Beside the list where there is room, otherwise folded away above it. */
function FoldedFacets({ children }: { readonly children: ComponentChildren }) {
  if (useWide()) return <>{children}</>;
  return (
    <details>
      <summary>{text.filters}</summary>
      {children}
    </details>
  );
}
