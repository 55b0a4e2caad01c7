/**
 * The visible text of a paragraph. Fields are bracketed by U+0013, U+0014 and U+0015: code, then result. Of a field with a
 * result only the result is shown; a field without one shows its code, as Tika does. A field that is not closed in its
 * paragraph ends with it.
 */
const FIELD_BEGIN = '\u0013';
const FIELD_SEPARATOR = '\u0014';
const FIELD_END = '\u0015';
const FIELD_MARK = new RegExp(`([${FIELD_BEGIN}${FIELD_SEPARATOR}${FIELD_END}])`);

interface OpenField {
  code: string;
  result: string | undefined;
}

export function visibleText(paragraph: string): string {
  if (!paragraph.includes(FIELD_BEGIN)) return cleanText(paragraph);
  const open: OpenField[] = [];
  let text = '';
  const add = (piece: string): void => {
    const field = open.at(-1);
    if (field === undefined) text += piece;
    else if (field.result === undefined) field.code += piece;
    else field.result += piece;
  };
  for (const piece of paragraph.split(FIELD_MARK)) {
    const field = open.at(-1);
    if (piece === FIELD_BEGIN) open.push({ code: '', result: undefined });
    else if (piece === FIELD_SEPARATOR) {
      if (field !== undefined) field.result ??= '';
    } else if (piece === FIELD_END) {
      open.pop();
      if (field !== undefined) add(field.result ?? field.code);
    } else add(piece);
  }
  return cleanText(text + open.map((field) => field.result ?? '').join(''));
}

/** The text with everything that fields hold, for stories in which Tika shows it all. */
export function cleanText(text: string): string {
  const last = MARKS.has(text.at(-1) ?? '') ? text.slice(0, -1) : text;
  return last.replace(/\p{Cc}/gu, (character) => REPLACED.get(character) ?? '\n');
}

/** What ends a paragraph: the paragraph mark, the mark of a cell or row, a break. */
const MARKS: ReadonlySet<string> = new Set(['\r', '\u0007', '\f']);

/** Non-breaking hyphens stay hyphens, optional ones and padding vanish; other control characters break the line. */
const REPLACED: ReadonlyMap<string, string> = new Map([
  ['\0', ''],
  ['\t', '\t'],
  ['\u001e', '\u2011'],
  ['\u001f', ''],
]);
