import { useEffect, useRef, useState } from 'preact/hooks';
import { originalOf, type DocumentView, type TextBlock, type TextPlace } from '../api.js';
import { formatSize, formatTime } from '../format.js';
import { ForeignText, MarkedText } from '../parts/foreign-text.js';
import { text } from '../text/en.js';
import { useDocument, type OpenedDocument } from './use-document.js';

interface DocumentPaneProps {
  readonly id: string;
  readonly q: string;
  readonly page: number | undefined;
  readonly onPage: (page: number) => void;
  readonly onClose: () => void;
}

/** One document beside the list: its text with marks, its file, what is known of it. */
export function DocumentPane({ id, q, page, onPage, onClose }: DocumentPaneProps) {
  const [opened, readOn] = useDocument(id, q, page);
  const { view, fault } = opened;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [id]);
  return (
    <>
      <div class="pane-head">
        <h2 ref={heading} tabIndex={-1} title={view?.name}>
          {view === undefined ? text.loading : <ForeignText text={view.name} />}
        </h2>
        <button type="button" class="plain close" onClick={onClose}>
          {text.close}
        </button>
        <Marks opened={opened} page={page} onPage={onPage} isSearch={q !== ''} />
      </div>
      {fault !== undefined && <p class="fault">{fault.status === 404 ? text.gone : fault.message || text.away(0)}</p>}
      {view !== undefined && (
        <>
          <Actions view={view} page={page} />
          <Notes opened={opened} />
          <Text opened={opened} readOn={readOn} isLong={view.characters > 0} />
          <Details view={view} />
        </>
      )}
    </>
  );
}

function Actions({ view, page }: { readonly view: DocumentView; readonly page: number | undefined }) {
  const [said, setSaid] = useState('');
  const { original, path } = view;
  const copy = (value: string): void => {
    void copied(value).then((isDone) => setSaid(isDone ? text.copied : text.notCopied));
  };
  return (
    <div class="actions">
      {original.available && original.inline === true && (
        <a class="button" data-key="o" href={originalOf(view.id, 'inline', page)} target="_blank" rel="noreferrer">
          {text.original}
        </a>
      )}
      {original.available && (
        <a class="button" data-key="d" href={originalOf(view.id, 'attachment')} download="">
          {text.download}
        </a>
      )}
      {path !== null && view.origin === 'crawl' && (
        <>
          <button type="button" data-key="y" onClick={() => copy(path)}>
            {text.copyPath}
          </button>
          <button type="button" data-key="Y" onClick={() => copy(path.replace(/[/\\][^/\\]*$/, '') || '/')}>
            {text.copyFolder}
          </button>
        </>
      )}
      <span role="status" class="said">
        {said}
      </span>
    </div>
  );
}

/** Browsers offer the clipboard only to pages of this machine or with TLS. */
async function copied(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    return false;
  }
}

function Notes({ opened: { view, window } }: { readonly opened: OpenedDocument }) {
  const notes = [
    ...(view === undefined ? [] : notesOf(view)),
    ...(window?.marks.complete === false ? [text.incomplete] : []),
  ];
  return notes.map((note) => (
    <p key={note} class="note">
      {note}
    </p>
  ));
}

function notesOf({ problem, original, origin, truncated }: DocumentView): string[] {
  const notes: (string | undefined)[] = [
    problem === null ? undefined : (problem.sentence ?? problem.reason),
    original.changed === true ? text.changed : undefined,
    original.available || origin === 'upload' ? undefined : original.sentence,
    truncated ? text.truncated : undefined,
  ];
  return notes.filter((note) => note !== undefined);
}

interface MarksProps extends Pick<DocumentPaneProps, 'page' | 'onPage'> {
  readonly opened: OpenedDocument;
  readonly isSearch: boolean;
}

function Marks({ opened: { window }, page, onPage, isSearch }: MarksProps) {
  if (window === undefined || !isSearch) return null;
  const { total, by_page: pages } = window.marks;
  return (
    <nav class="marks" aria-label={text.marks(total, pages.length)}>
      <p>{total === 0 ? text.noMarks : text.marks(total, pages.length)}</p>
      {total > 0 && (
        <>
          <button type="button" data-key="N" onClick={() => goToMark(-1)}>
            <span aria-hidden="true">↑</span> {text.previousMark}
          </button>
          <button type="button" data-key="n" onClick={() => goToMark(1)}>
            <span aria-hidden="true">↓</span> {text.nextMark}
          </button>
        </>
      )}
      <ul class="pages">
        {pages.map(([number, marks]) => (
          <li key={number}>
            <button type="button" class="chip" aria-pressed={number === page} onClick={() => onPage(number)}>
              {text.pageMarks(number, marks)}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The mark before or behind the one that was shown last; the text is read on where it ends. */
function goToMark(step: 1 | -1): void {
  const marks = [...document.querySelectorAll<HTMLElement>('.text mark')];
  const now = marks.findIndex((mark) => mark.classList.contains('now'));
  const next = now < 0 ? (step === 1 ? 0 : marks.length - 1) : now + step;
  const mark = marks[next];
  if (mark === undefined) {
    document.querySelector<HTMLButtonElement>(step === 1 ? '.text .later' : '.text .earlier')?.click();
    return;
  }
  marks[now]?.classList.remove('now');
  mark.classList.add('now');
  mark.scrollIntoView({ block: 'center' });
}

interface TextProps {
  readonly opened: OpenedDocument;
  readonly readOn: (place: TextPlace, side: 'before' | 'behind') => Promise<void>;
  readonly isLong: boolean;
}

function Text({ opened: { blocks, before, behind }, readOn, isLong }: TextProps) {
  const [isFaulty, setFaulty] = useState(false);
  const go = (place: TextPlace, side: 'before' | 'behind'): void => {
    setFaulty(false);
    readOn(place, side).catch(() => setFaulty(true));
  };
  if (!isLong) return <p class="note">{text.noTextAtAll}</p>;
  return (
    <div class="text">
      {before !== null && (
        <button type="button" class="plain earlier" onClick={() => go(before, 'before')}>
          {text.earlier}
        </button>
      )}
      {blocks.map((block) => (
        <Block key={block.from} block={block} />
      ))}
      {isFaulty && <p class="fault">{text.away(0)}</p>}
      {behind !== null && (
        <button type="button" class="plain later" onClick={() => go(behind, 'behind')}>
          {text.later}
        </button>
      )}
    </div>
  );
}

function Block({ block }: { readonly block: TextBlock }) {
  return (
    <section>
      {block.page !== null && <h3>{text.pageHeading(block.page)}</h3>}
      <p class="content">
        <MarkedText segments={block.segments} />
      </p>
    </section>
  );
}

function Details({ view }: { readonly view: DocumentView }) {
  const known: Readonly<Record<string, string | null>> = {
    path: view.path,
    size: view.size === null ? null : formatSize(view.size),
    modified: view.modified === null ? null : formatTime(view.modified),
    created: view.created === null ? null : formatTime(view.created),
    indexed: view.indexed === null ? null : formatTime(view.indexed),
    content_type: view.content_type,
    author: view.author,
    language: view.language,
  };
  const rows = [
    ...Object.entries(known).map(([name, value]) => [text.fields[name] ?? name, value] as const),
    ...Object.entries({ ...view.meta, ...view.external })
      .filter(([name]) => !(name in known))
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const),
  ];
  return (
    <details class="details">
      <summary>{text.details}</summary>
      <dl>
        {rows.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>
                <ForeignText text={name} />
              </dt>
              <dd>
                <ForeignText text={value} />
              </dd>
            </div>
          ),
        )}
      </dl>
    </details>
  );
}
