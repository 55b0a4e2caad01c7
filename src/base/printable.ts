/**
 * Characters that steer a terminal or hide what a text really says: control characters (escape sequences, carriage
 * returns, bells, line breaks), line separators, the marks that turn the direction of writing, and halves of surrogate pairs.
 * Joiners and the marks for single letters stay: many scripts are written with them.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu;
const UNPRINTABLE_IN_TEXT = /(?![\n\t])[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * A name, or any text from outside, as one line that may be printed or logged: what is unprintable in it stands as an escape
 * (`\n`, `\x1b`, `\u202e`), so that two names never look the same.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escaped);
}

/** The same for a text of several lines: its line breaks and tabs stay. */
export function printableText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNPRINTABLE_IN_TEXT, escaped);
}

const LONGEST_LINE = 2000;
const LONGEST_WORD = 300;

/** A line of a log. Of paths that are thousands of characters long, beginning and end are kept. */
export function logLine(message: string): string {
  const line = printable(message);
  if (line.length <= LONGEST_LINE) return line;
  const shorter = line.replace(/\S+/g, (word) => shortened(word, LONGEST_WORD));
  return shortened(shorter, LONGEST_LINE);
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor((most - 1) / 2);
  return `${text.slice(0, half)}…${text.slice(-half)}`.toWellFormed();
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  return SHORT[character] ?? (code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u${hex.padStart(4, '0')}`);
}
