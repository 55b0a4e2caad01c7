/**
 * Which page of a document a hit is on. A document keeps where its pages begin (`pages`: offsets in `content`, the first
 * one is 0); the place of a hit is that of the first marked word in its fragment of the content.
 */
export interface Marks {
  readonly on: string;
  readonly off: string;
}

/** What engines mark with when nothing else is asked for. */
export const USUAL_MARKS: Marks = { on: '<em>', off: '</em>' };

/** Counted from 1; undefined when the document has no pages, or the fragment is not in it. */
export function pageOfFragment(
  content: string,
  pages: readonly number[],
  fragment: string,
  { on, off }: Marks,
): number | undefined {
  if (pages.length === 0) return undefined;
  const at = content.indexOf(fragment.replaceAll(on, '').replaceAll(off, ''));
  if (at < 0) return undefined;
  const place = at + Math.max(0, fragment.indexOf(on));
  return pages.filter((start) => start <= place).length;
}
