import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { originalOf, type DocumentView, type Segments, type TextBlock, type TextPosition } from '../api.js';
import { ForeignText, MarkedText } from '../parts/foreign-text.js';
import { text } from '../text/en.js';
import { DocumentDetails } from './document-details.js';
import { Marks } from './marks.js';
import { addressOfWhy } from './messages.js';
import { useDocument, type OpenedDocument, type ReadOn } from './use-document.js';

interface DocumentPaneProps {
  readonly id: string;
  readonly q: string;
  readonly page: number | undefined;
  /** The focus stays where it is. */
  readonly isPreview: boolean;
  readonly onPage: (page: number, how?: 'push' | 'replace') => void;
  readonly onClose: () => void;
}

/** One document beside the list: its text with marks, its file, what is known of it. */
export function DocumentPane({ id, q, page, isPreview, onPage, onClose }: DocumentPaneProps) {
  const [opened, readOn] = useDocument(id, q, page);
  const { view, fault } = opened;
  const heading = useRef<HTMLHeadingElement>(null);
  const nameless = fault === undefined ? text.loading : text.document;
  useLayoutEffect(() => {
    if (!isPreview) heading.current?.focus();
  }, [id, isPreview]);
  return (
    <>
      <div class="pane-head">
        <h2 ref={heading} tabIndex={-1} title={view?.name}>
          {view === undefined ? nameless : <ForeignText text={view.name} />}
        </h2>
        <button type="button" class="plain close" onClick={onClose}>
          {text.close}
        </button>
        {q !== '' && <Marks opened={opened} readOn={readOn} page={page} onPage={onPage} />}
      </div>
      {fault !== undefined && <p class="fault">{fault.status === 404 ? text.gone : fault.message || text.away(0)}</p>}
      {view !== undefined && (
        <>
          <Actions view={view} page={page} />
          <Notes opened={opened} />
          <Text opened={opened} readOn={readOn} isLong={view.characters > 0} />
          <DocumentDetails view={view} />
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
      {path !== null && view.origin === 'crawl' && (
        <a class="button to-operator" data-key="w" href={addressOfWhy(path)}>
          {text.why}
        </a>
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
  const own = [
    ...(view?.original.changed === true ? [text.changed] : []),
    ...(view?.truncated === true ? [text.truncated] : []),
    ...(window?.marks.complete === false ? [text.incomplete] : []),
  ];
  const sentences = view === undefined ? [] : sentencesOf(view);
  return [...own, ...sentences.map((each) => <ForeignText key={each} text={each} />)].map((note, at) => (
    <p key={at} class="note">
      {note}
    </p>
  ));
}

/** What the service says of the document. */
function sentencesOf({ problem, original, origin }: DocumentView): string[] {
  const sentences: (string | undefined)[] = [
    problem === null ? undefined : (problem.sentence ?? problem.reason),
    original.available || origin === 'upload' ? undefined : original.sentence,
  ];
  return sentences.filter((sentence) => sentence !== undefined);
}

interface TextProps {
  readonly opened: OpenedDocument;
  readonly readOn: ReadOn;
  readonly isLong: boolean;
}

function Text({ opened: { blocks, before, behind }, readOn, isLong }: TextProps) {
  const [isFaulty, setFaulty] = useState(false);
  const go = (place: TextPosition, side: 'before' | 'behind'): void => {
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
    <section data-page={block.page}>
      {block.page !== null && <h3>{text.pageHeading(block.page)}</h3>}
      <p class="content">
        <MarkedText segments={withoutBlankLines(block.segments)} />
      </p>
    </section>
  );
}

/** Pages of a PDF begin and end with blank lines. */
function withoutBlankLines(segments: Segments): Segments {
  const last = segments.length - 1;
  return segments.map((segment, at) => {
    const begun = at === 0 ? segment.replace(/^\s*\n/, '') : segment;
    return at === last ? begun.trimEnd() : begun;
  });
}
