import { useEffect, useRef } from 'preact/hooks';
import type { OpenedDocument, ReadOn } from './use-document.js';

/** To the next mark, or to the one before. */
export type Step = 1 | -1;

interface Pending {
  readonly step: Step;
  /** Where the mark is, if the document has pages. */
  readonly page?: number;
}

/** Steps through all marks of a document: where the text that was read ends, more is read, from the next page with marks on. */
export function useMarkSteps(
  { window, blocks, before, behind }: OpenedDocument,
  readOn: ReadOn,
  onPage: (page: number, how: 'replace') => void,
): (step: Step) => void {
  const pending = useRef<Pending | null>(null);
  const go = (wanted: Pending): void => {
    pending.current = null;
    if (select(wanted) || window === undefined) return;
    const { step } = wanted;
    if (window.marks.by_page.length > 0) {
      const page = markedPage(window.marks.by_page, blocks, step);
      if (page === undefined) return;
      pending.current = { step, page };
      onPage(page, 'replace');
      return;
    }
    const [place, side] = step === 1 ? ([behind, 'behind'] as const) : ([before, 'before'] as const);
    if (place === null) return;
    pending.current = { step };
    readOn(place, side).catch(() => {
      pending.current = null;
    });
  };
  useEffect(() => {
    if (pending.current !== null) go(pending.current);
  }, [blocks]);
  return (step) => go({ step });
}

/** The nearest page with marks that lies behind, or before, what was read. */
function markedPage(
  pages: readonly (readonly [page: number, marks: number])[],
  blocks: OpenedDocument['blocks'],
  step: Step,
): number | undefined {
  const numbers = pages.map(([page]) => page);
  if (step === 1) return numbers.find((page) => page > (blocks.at(-1)?.page ?? 0));
  return numbers.findLast((page) => page < (blocks[0]?.page ?? 0));
}

/** Shows the mark, if the text that was read has it. */
function select({ step, page }: Pending): boolean {
  const marks = [...document.querySelectorAll<HTMLElement>('.text mark')];
  const now = marks.findIndex((mark) => mark.classList.contains('now'));
  const first = step === 1 ? marks[0] : marks.at(-1);
  const mark = page === undefined ? (now < 0 ? first : marks[now + step]) : ofPage(page, step);
  if (mark === undefined) return false;
  marks[now]?.classList.remove('now');
  mark.classList.add('now');
  mark.scrollIntoView({ block: 'center' });
  return true;
}

function ofPage(page: number, step: Step): HTMLElement | undefined {
  const marks = [...document.querySelectorAll<HTMLElement>(`.text [data-page="${page}"] mark`)];
  return step === 1 ? marks[0] : marks.at(-1);
}
