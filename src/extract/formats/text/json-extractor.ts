import type { FormatContext, FormatInput } from '../../format.js';
import { readText } from '../../containers/charset/read-text.js';

/**
 * JSON as it is written, except that letters written as escapes (`caf\u00e9`) become the letters: nobody searches for
 * `u00e9`. Escapes that carry structure (quotes, backslashes, control characters) stay.
 */
const LETTER_ESCAPES = /(?<!\\)((?:\\\\)*)((?:\\u[0-9a-fA-F]{4})+)/g;
const LONGEST_ESCAPE = 24;

export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const text = await readText(input, context);
  let held = '';
  for await (const piece of text.pieces()) {
    const all = held + piece;
    const cut = safeCut(all);
    context.write(unescapeLetters(all.slice(0, cut)));
    if (context.full) return;
    held = all.slice(cut);
  }
  context.write(unescapeLetters(held));
  context.write('\n');
}

/** Where a piece may be cut without cutting an escape in two. */
function safeCut(text: string): number {
  const escape = text.indexOf('\\', Math.max(0, text.length - LONGEST_ESCAPE));
  return escape === -1 ? text.length : escape;
}

function unescapeLetters(text: string): string {
  if (!text.includes('\\u')) return text;
  return text.replace(LETTER_ESCAPES, (_all, before: string, escapes: string) => before + letters(escapes));
}

function letters(escapes: string): string {
  return escapes.replace(/\\u([0-9a-fA-F]{4})/g, (escape, digits: string) => {
    const unit = Number.parseInt(digits, 16);
    return unit < 0x80 ? escape : String.fromCharCode(unit);
  });
}
