import { at, isRecord, numberAt, parseJson, textAt } from './json.js';
import { reasonOf, type ServerReason } from './server-errors.js';

/**
 * The answer to a bulk request: `{"items": [{"index": {"_id": "a", "status": 201}}, …]}`, one item an operation, in the
 * same order. An answer may be torn: cut off in the middle by a lost connection or a proxy, or with items missing. What
 * can be read of it still counts, from the start up to the first item that is not whole.
 */
export interface BulkItem {
  readonly id: string | undefined;
  readonly status: number;
  readonly error: ServerReason | undefined;
}

/** What of an item is asked for (`filter_path`): the rest is of no use and costs time. */
export const BULK_FILTER = 'items.*._id,items.*.status,items.*.error.type,items.*.error.reason,items.*.error.caused_by';

export function bulkItems(text: string): readonly BulkItem[] {
  const body = parseJson(text);
  const items = typeof body === 'string' ? wholeItems(text) : at(body, 'items');
  const read: BulkItem[] = [];
  for (const item of Array.isArray(items) ? (items as unknown[]) : []) {
    const parsed = bulkItem(item);
    if (parsed === undefined) break;
    read.push(parsed);
  }
  return read;
}

function bulkItem(item: unknown): BulkItem | undefined {
  if (!isRecord(item)) return undefined;
  const result = Object.values(item)[0];
  const status = numberAt(result, 'status');
  if (status === undefined) return undefined;
  const error = at(result, 'error');
  return { id: textAt(result, '_id'), status, error: error === undefined ? undefined : reasonOf(error) };
}

/** The items of a torn answer: objects are followed brace by brace, and the last, open one is left out. */
function wholeItems(text: string): readonly unknown[] {
  const list = /"items"\s*:\s*\[/.exec(text);
  if (list === null) return [];
  const items: unknown[] = [];
  let start = list.index + list[0].length;
  for (;;) {
    const open = text.indexOf('{', start);
    const end = open === -1 ? -1 : endOfObject(text, open);
    if (end === -1) return items;
    items.push(parseJson(text.slice(open, end)));
    start = end;
  }
}

/** The index after the object that opens at `open`, or -1 when the text ends before it does. */
function endOfObject(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i += 1) {
    const character = text[i];
    if (character === '"') {
      i = endOfString(text, i);
      if (i === -1) return -1;
    } else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
}

/** The index of the closing quotation mark of the string that opens at `open`, or -1. */
function endOfString(text: string, open: number): number {
  for (let i = open + 1; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '"') return i;
  }
  return -1;
}
