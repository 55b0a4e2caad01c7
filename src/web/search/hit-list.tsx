import type { FoundDocument, Passage } from '../api.js';
import { formatDate, formatSize, formatTime, shortened } from '../format.js';
import { ForeignText, MarkedName, MarkedText } from '../parts/foreign-text.js';
import { text } from '../text/en.js';
import { addressOf, type PageState } from '../url-state.js';

/** Characters of a line. */
const NAME = 64;
const FOLDER = 80;

interface HitListProps {
  readonly hits: readonly FoundDocument[];
  readonly state: PageState;
  /** The hit that keys act on. */
  readonly current: number;
  readonly onOpen: (id: string, page: number | undefined) => void;
  readonly onFocus: (at: number) => void;
}

export function HitList({ hits, state, current, onOpen, onFocus }: HitListProps) {
  return (
    <ol class="hits">
      {hits.map((hit, at) => (
        <li key={hit.id} class={hit.id === state.document ? 'hit open' : 'hit'} onFocusIn={() => onFocus(at)}>
          <h2>
            <HitLink hit={hit} state={state} page={pageOf(hit)} isCurrent={at === current} onOpen={onOpen} />
          </h2>
          <HitFacts hit={hit} />
          <ul class="snippets">
            {hit.snippets.map((snippet, place) => (
              <li key={place}>
                <Snippet hit={hit} snippet={snippet} state={state} onOpen={onOpen} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

type Opening = Pick<HitListProps, 'state' | 'onOpen'> & { readonly hit: FoundDocument };

function HitLink({
  hit,
  state,
  page,
  isCurrent,
  onOpen,
}: Opening & { readonly page: number | undefined; readonly isCurrent: boolean }) {
  return (
    <a
      class="name"
      href={addressOf({ ...state, document: hit.id, page })}
      tabIndex={isCurrent ? 0 : -1}
      title={hit.name}
      aria-current={hit.id === state.document ? 'true' : undefined}
      onClick={(event) => open(event, () => onOpen(hit.id, page))}
    >
      {hit.marks.name === undefined ? (
        <ForeignText text={shortened(hit.name, NAME)} />
      ) : (
        <MarkedName segments={hit.marks.name} />
      )}
    </a>
  );
}

function HitFacts({ hit }: { readonly hit: FoundDocument }) {
  const { title, marks, modified, size } = hit;
  return (
    <>
      {title !== null && title !== hit.name && (
        <p class="title">
          {marks.title === undefined ? <ForeignText text={title} /> : <MarkedName segments={marks.title} />}
        </p>
      )}
      <p class="facts">
        <span class="type">{text.types[hit.type] ?? hit.type}</span>
        {size !== null && <span>{formatSize(size)}</span>}
        {modified !== null && (
          <time dateTime={modified} title={formatTime(modified)}>
            {formatDate(modified)}
          </time>
        )}
        {hit.author !== null && <ForeignText text={hit.author} />}
        {hit.origin === 'upload' && <span>{text.upload}</span>}
        {hit.problem !== null && <span class="problem">{text.noText(hit.problem)}</span>}
      </p>
      {hit.folder !== null && (
        <p class="folder" title={hit.path ?? ''}>
          <ForeignText text={shortened(hit.folder, FOLDER)} />
        </p>
      )}
    </>
  );
}

function Snippet({ hit, snippet, state, onOpen }: Opening & { readonly snippet: Passage }) {
  const page = snippet.page ?? undefined;
  return (
    <a
      class="snippet"
      tabIndex={-1}
      href={addressOf({ ...state, document: hit.id, page })}
      onClick={(event) => open(event, () => onOpen(hit.id, page))}
    >
      {page !== undefined && <span class="page">{text.page(page)}</span>}
      <MarkedText segments={snippet.segments} />
    </a>
  );
}

/** A click with a key held down opens a tab of its own, as links do. */
function open(event: MouseEvent, show: () => void): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  show();
}

export function pageOf(hit: FoundDocument): number | undefined {
  return hit.snippets[0]?.page ?? undefined;
}
