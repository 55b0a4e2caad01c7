import { units, type Unit } from './tokens.js';

/**
 * Marks the words of a query in a text and cuts the passages around them.
 *
 * A `Sequence` is what one word or phrase of the query looks like as units: `report.pdf` is report, pdf; 東京 is 東, 京. The
 * text is read once; after each unit the sequences that end with it are compared with the units before. Marked units that
 * touch each other become one mark. A fragment begins with the sentence of its first mark, or a little before the mark when
 * that is far away, and grows to `fragmentSize` characters; it ends at a word's edge.
 */
export interface Sequence {
  readonly units: readonly string[];
  /** The last unit is the beginning of a word. */
  readonly prefix: boolean;
  /** Of one unit: whether another is near enough to be marked as well. */
  readonly matches?: (unit: string) => boolean;
}

export interface HighlightOptions {
  readonly preTag: string;
  readonly postTag: string;
  readonly fragmentSize: number;
  /** 0: the whole text as one fragment. */
  readonly fragments: number;
  /** Characters of the beginning when nothing matches. */
  readonly noMatchSize: number;
  readonly byScore: boolean;
  readonly escapeHtml: boolean;
}

interface Mark {
  readonly start: number;
  readonly end: number;
  readonly words: readonly string[];
}

interface Fragment {
  readonly start: number;
  readonly end: number;
  readonly marks: readonly Mark[];
}

/** As far as Elasticsearch reads by default (`max_analyzed_offset`). */
const ANALYSED_CHARACTERS = 1_000_000;

/** The shares of a fragment that may stand before its first mark: from a sentence's beginning, and from any word. */
const SENTENCE_LEAD = 0.4;
const WORD_LEAD = 0.25;

const END_OF_SENTENCE = /[.!?…。！？\n]\s*$/;

/** A word longer than this may be cut at the edge of a fragment. */
const LONGEST_WORD = 30;

export function sequenceOf(text: string, prefix: boolean): Sequence | undefined {
  const folded = Array.from(units(text), (unit) => unit.folded).filter((unit) => unit !== '');
  return folded.length === 0 ? undefined : { units: folded, prefix };
}

/** Fragments with the tags set, or an empty list when nothing matches. */
export function highlight(text: string, sequences: readonly Sequence[], options: HighlightOptions): string[] {
  const analysed = text.length > ANALYSED_CHARACTERS ? text.slice(0, ANALYSED_CHARACTERS) : text;
  const marks = merged(findMarks(analysed, sequences));
  if (marks.length === 0) return beginning(text, options);
  if (options.fragments === 0) return [render(text, { start: 0, end: text.length, marks }, options)];
  const fragments = cut(text, marks, options);
  return choose(fragments, options).map((fragment) => render(text, fragment, options));
}

function beginning(text: string, options: HighlightOptions): string[] {
  if (options.noMatchSize === 0 || text === '') return [];
  const end = edgeBefore(text, options.noMatchSize, 0);
  return [render(text, { start: 0, end, marks: [] }, options)];
}

function findMarks(text: string, sequences: readonly Sequence[]): Mark[] {
  const longest = Math.max(0, ...sequences.map((sequence) => sequence.units.length));
  const recent: Unit[] = [];
  const marks: Mark[] = [];
  for (const unit of units(text)) {
    recent.push(unit);
    if (recent.length > longest) recent.shift();
    for (const sequence of sequences) {
      if (!endsWith(recent, sequence)) continue;
      for (const { start, end, folded } of recent.slice(-sequence.units.length))
        marks.push({ start, end, words: [folded] });
    }
  }
  return marks;
}

function endsWith(recent: readonly Unit[], { units: wanted, prefix, matches }: Sequence): boolean {
  const offset = recent.length - wanted.length;
  if (offset < 0) return false;
  if (matches !== undefined) return matches(recent.at(-1)?.folded ?? '');
  for (let at = wanted.length - 1; at >= 0; at -= 1) {
    const have = recent[offset + at]?.folded ?? '';
    const want = wanted[at] ?? '';
    const same = prefix && at === wanted.length - 1 ? have.startsWith(want) : have === want;
    if (!same) return false;
  }
  return true;
}

/** In order, each place once, neighbours without a gap as one mark. */
function merged(marks: readonly Mark[]): Mark[] {
  const result: Mark[] = [];
  for (const mark of [...marks].sort((left, right) => left.start - right.start)) {
    const last = result.at(-1);
    if (last === undefined || mark.start > last.end) result.push(mark);
    else if (mark.end > last.end || !last.words.includes(mark.words[0] ?? '')) {
      result[result.length - 1] = {
        start: last.start,
        end: Math.max(last.end, mark.end),
        words: [...last.words, ...mark.words],
      };
    }
  }
  return result;
}

function cut(text: string, marks: readonly Mark[], { fragmentSize }: HighlightOptions): Fragment[] {
  const fragments: Fragment[] = [];
  let next = 0;
  while (next < marks.length) {
    const first = marks[next];
    if (first === undefined) break;
    const floor = fragments.at(-1)?.end ?? 0;
    const start = leadIn(text, floor, first.start, fragmentSize);
    const inside: Mark[] = [];
    for (let mark = marks[next]; mark !== undefined; mark = marks[next]) {
      if (inside.length > 0 && mark.end > start + fragmentSize) break;
      inside.push(mark);
      next += 1;
    }
    const atLeast = inside.at(-1)?.end ?? first.end;
    const end = edgeBefore(text, start + fragmentSize, atLeast);
    fragments.push({ start, end, marks: inside });
  }
  return fragments;
}

function leadIn(text: string, floor: number, mark: number, fragmentSize: number): number {
  const earliest = Math.max(floor, mark - Math.floor(fragmentSize * SENTENCE_LEAD));
  for (let place = mark; place >= earliest; place -= 1) {
    const begins =
      place === 0 || (!isSpace(text, place) && END_OF_SENTENCE.test(text.slice(Math.max(0, place - 3), place)));
    if (begins) return place;
  }
  return edgeAfter(text, Math.max(floor, mark - Math.floor(fragmentSize * WORD_LEAD)), mark);
}

/** The best ones by distinct words, then by number of marks; shown in the order of the text unless asked otherwise. */
function choose(fragments: readonly Fragment[], { fragments: count, byScore }: HighlightOptions): Fragment[] {
  const best = fragments
    .map((fragment, place) => ({ fragment, place, score: scoreOf(fragment) }))
    .sort((left, right) => right.score - left.score || left.place - right.place)
    .slice(0, count);
  if (!byScore) best.sort((left, right) => left.place - right.place);
  return best.map(({ fragment }) => fragment);
}

function scoreOf({ marks }: Fragment): number {
  const distinct = new Set(marks.flatMap(({ words }) => words));
  return distinct.size * 1000 + marks.length;
}

function render(text: string, { start, end, marks }: Fragment, options: HighlightOptions): string {
  const show = options.escapeHtml ? escapeHtml : (part: string) => part;
  let result = '';
  let at = start;
  for (const mark of marks) {
    result += `${show(text.slice(at, mark.start))}${options.preTag}${show(text.slice(mark.start, mark.end))}${options.postTag}`;
    at = mark.end;
  }
  return result + show(text.slice(at, end));
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;');
}

/** The first place from `at` on where a word begins, but not beyond `limit`. */
function edgeAfter(text: string, at: number, limit: number): number {
  if (at === 0 || isSpace(text, at - 1)) return at;
  for (let place = at; place < limit; place += 1) if (isSpace(text, place)) return place + 1;
  return limit - at > LONGEST_WORD ? safeCut(text, at) : limit;
}

/** The last place up to `at` where a word ends, but not before `floor`. */
function edgeBefore(text: string, at: number, floor: number): number {
  if (at >= text.length) return text.length;
  for (let place = at; place > Math.max(floor, at - LONGEST_WORD); place -= 1) if (isSpace(text, place)) return place;
  return Math.max(floor, safeCut(text, at));
}

function isSpace(text: string, at: number): boolean {
  return /\s/.test(text.charAt(at));
}

/** Not between the halves of a surrogate pair. */
function safeCut(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
