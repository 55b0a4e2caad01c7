import { randomBytes } from 'node:crypto';

/**
 * A text with marked places as a list of plain texts: those at even places are unmarked, those at odd places marked. No
 * markup of any kind is in them, and none that a document holds can be taken for a mark, since the marks that the engine is
 * asked to set are random.
 */
export type Segments = readonly string[];

export interface RandomMarks {
  readonly on: string;
  readonly off: string;
}

export function randomMarks(): RandomMarks {
  return { on: randomMark(), off: randomMark() };
}

/** Between signs of no meaning that engines keep: control characters at the end of a passage are cut off by a cluster. */
function randomMark(): string {
  return `\uE000${randomBytes(8).toString('hex')}\uE001`;
}

export function segmentsOf(text: string, { on, off }: RandomMarks): Segments {
  const [first = '', ...rest] = text.split(on);
  return [first, ...rest.flatMap((part) => atFirst(part, off))];
}

function atFirst(part: string, off: string): [marked: string, unmarked: string] {
  const at = part.indexOf(off);
  return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + off.length)];
}
