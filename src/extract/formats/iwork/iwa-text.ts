import type { IwaMessage } from './iwa-archive.js';
import { readMessage } from './protobuf.js';
import { valuesOfTile } from './table-tile.js';

/**
 * The messages of iWork documents that hold text. All programs of the family share their numbers.
 *
 *   2001, 2005  storage of text: the characters in field 3
 *   3056        a comment: its text in field 1
 *   6002        a tile of a table: the numbers and dates in its cells
 *   6005        a list of a table's cell contents: entries in field 3, each with a string in its field 3, when the
 *               list's kind (field 1) is strings
 */
const TEXT_STORAGES: ReadonlySet<number> = new Set([2001, 2005]);
const COMMENT = 3056;
const TABLE_TILE = 6002;
const TABLE_LIST = 6005;
const LIST_OF_STRINGS = 1;

/** The text of a message, or undefined when it holds none. */
export function textOfMessage(message: IwaMessage): string | undefined {
  if (TEXT_STORAGES.has(message.type)) return clean(strings(message.bytes, 3));
  if (message.type === COMMENT) return clean(strings(message.bytes, 1));
  if (message.type === TABLE_TILE) return clean(valuesOfTile(message.bytes));
  if (message.type !== TABLE_LIST) return undefined;
  const list = readMessage(message.bytes);
  if (list.numbers(1)[0] !== LIST_OF_STRINGS) return undefined;
  return clean(list.bytes(3).flatMap((entry) => strings(entry, 3)));
}

function strings(bytes: Buffer, field: number): string[] {
  return readMessage(bytes)
    .bytes(field)
    .map((each) => each.toString('utf8'));
}

/** Control characters and the character that stands for an attachment mean nothing here; separators end lines. */
function clean(lines: readonly string[]): string | undefined {
  const text = lines
    .join('\n')
    .replace(/[\u2028\u2029]/g, '\n')
    .replace(/[\ufffc\p{Cc}]/gu, (character) => (character === '\n' || character === '\t' ? character : ''));
  return text.trim() === '' ? undefined : text;
}
