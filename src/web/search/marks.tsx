import { text } from '../text/en.js';
import type { OpenedDocument, ReadOn } from './use-document.js';
import { useMarkSteps } from './use-mark-steps.js';

interface MarksProps {
  readonly opened: OpenedDocument;
  readonly readOn: ReadOn;
  readonly page: number | undefined;
  readonly onPage: (page: number, how?: 'push' | 'replace') => void;
}

/** How often the words of the search stand in a document, on which pages, and steps from one place to the next. */
export function Marks({ opened, readOn, page, onPage }: MarksProps) {
  const step = useMarkSteps(opened, readOn, onPage);
  if (opened.window === undefined) return null;
  const { total, by_page: pages } = opened.window.marks;
  return (
    <nav class="marks" aria-label={text.marks(total, pages.length)}>
      <p>{total === 0 ? text.noMarks : text.marks(total, pages.length)}</p>
      {total > 0 && (
        <>
          <button type="button" data-key="N" onClick={() => step(-1)}>
            <span aria-hidden="true">↑</span> {text.previousMark}
          </button>
          <button type="button" data-key="n" onClick={() => step(1)}>
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
