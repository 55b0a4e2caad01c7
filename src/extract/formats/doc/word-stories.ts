import { PAIR, readPair, slice, type Fib } from './fib.js';
import type { Story, WordText } from './word-text.js';

/** Where in the text the parts of a document lie. */
export interface WordStories {
  readonly main: Story;
  /** First page, even pages, odd pages. */
  readonly headers: readonly Story[];
  readonly footers: readonly Story[];
  /** Text boxes, footnotes, comments, endnotes. */
  readonly appended: readonly Story[];
}

/** Stories of the header part: six separators of notes, then six a section, of which the first section's are read. */
const HEADERS = [10, 6, 7];
const FOOTERS = [11, 8, 9];

export function wordStories(word: Uint8Array, fib: Fib, text: WordText): WordStories {
  const { lengths } = fib;
  const end = text.text.length;
  const footnotes = lengths.main;
  const headers = footnotes + lengths.footnotes;
  const comments = headers + lengths.headers + lengths.macros;
  const endnotes = comments + lengths.comments;
  const textBoxes = endnotes + lengths.endnotes;
  const story = (start: number, length: number): Story => ({
    start: Math.min(start, end),
    end: Math.min(start + length, end),
  });
  const headerParts = headerStories(
    slice(text.table, readPair(word, fib, PAIR.headerStories)),
    story(headers, lengths.headers),
  );
  const pick = (indexes: readonly number[]): Story[] => indexes.flatMap((index) => headerParts[index] ?? []);
  return {
    main: story(0, lengths.main),
    headers: pick(HEADERS),
    footers: pick(FOOTERS),
    appended: [
      story(textBoxes, lengths.textBoxes),
      story(footnotes, lengths.footnotes),
      story(comments, lengths.comments),
      story(endnotes, lengths.endnotes),
    ],
  };
}

/** The table holds the position of each story within the header part. */
function headerStories(table: Uint8Array, part: Story): Story[] {
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  const stories: Story[] = [];
  for (let at = 0; at + 8 <= table.length; at += 4) {
    const start = Math.min(part.start + view.getUint32(at, true), part.end);
    stories.push({ start, end: Math.min(part.start + view.getUint32(at + 4, true), part.end) });
  }
  return stories;
}
