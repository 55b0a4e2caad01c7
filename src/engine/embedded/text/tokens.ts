/**
 * Words, for the index and for queries.
 *
 * FTS5's tokenizer cuts at everything that is no letter, number or mark, folds case and strips Latin diacritics. Before it
 * sees a text, `indexText` does what it cannot: compatibility forms (the `ﬁ` of PDFs, full-width letters, decomposed
 * accents) become plain ones, `ß` becomes `ss`, soft hyphens vanish, and scripts that are written without spaces
 * (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese) are cut into overlapping pairs of characters plus the last
 * character alone:
 *
 *   東京都に  →  東京 京都 都に に
 *
 * so that every substring of a run is a phrase of the index: `京都` is the token 京都, `東京都` the phrase 東京 京都, and a
 * single character is the prefix of a pair or the last token of a run. Text of a query takes the same way (`toPhrase`).
 */
const BEYOND_LATIN1 = /[\u0100-\uffff]/;
const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Letters and marks of the scripts without spaces: CJK with kana and Hangul, Thai and Lao, Burmese, Khmer. */
const SPACELESS =
  '\\u{1100}-\\u{11FF}\\u{3005}-\\u{3007}\\u{3041}-\\u{3096}\\u{309D}-\\u{309F}\\u{30A1}-\\u{30FA}\\u{30FC}-\\u{30FF}' +
  '\\u{3131}-\\u{318E}\\u{31F0}-\\u{31FF}\\u{3400}-\\u{4DBF}\\u{4E00}-\\u{9FFF}\\u{A960}-\\u{A97C}\\u{AC00}-\\u{D7FB}' +
  '\\u{F900}-\\u{FAFF}\\u{20000}-\\u{323AF}\\u{0E01}-\\u{0E3A}\\u{0E40}-\\u{0E4E}\\u{0E81}-\\u{0ECD}\\u{0EDC}-\\u{0EDF}' +
  '\\u{1000}-\\u{1049}\\u{1050}-\\u{109D}\\u{1780}-\\u{17D3}';
const LETTERS = '\\p{L}\\p{N}\\p{Co}\\p{Mn}\\p{Mc}';

const RUN = new RegExp(`[${SPACELESS}]+`, 'gu');
const HAS_RUN = new RegExp(`[${SPACELESS}]`, 'u');
const LAST_RUN = new RegExp(`([${SPACELESS}]+)[^${LETTERS}]*$`, 'u');
const TOKEN = new RegExp(`[${LETTERS}]+`, 'gu');
/** What stands between spaces and punctuation; a dot, apostrophe or underscore between letters does not end a word. */
const WORD = new RegExp(`[${LETTERS}]+(?:['’._][${LETTERS}]+)*`, 'gu');
/** For highlighting: one character of a spaceless script, or a token of any other. Soft hyphens stay inside. */
const UNIT = new RegExp(`[${SPACELESS}]|(?:(?![${SPACELESS}])[${LETTERS}\\u00AD])+`, 'gu');

/** A run of this many characters in a query is likely a sentence: it is cut into the words of a dictionary. */
const SENTENCE = 8;

/** Text as the tokenizer of fts_N shall see it. */
export function indexText(text: string): string {
  const plain = normalise(text);
  return BEYOND_LATIN1.test(plain) && HAS_RUN.test(plain) ? plain.replace(RUN, pairs) : plain;
}

/** `indexText` with every token marked, so that one column can tell many fields apart: `12qannual 12qreport`. */
export function scopedText(scope: number, text: string): string {
  return indexText(text).replace(TOKEN, `${scope}q$&`);
}

/** The words of a query, in order. */
export function words(text: string): string[] {
  const found = normalise(text).match(WORD) ?? [];
  return found.flatMap((word) => (isSentence(word) ? dictionaryWords(word) : [word]));
}

export interface Phrase {
  /** Tokens of the index that follow each other. */
  readonly tokens: readonly string[];
  /** The last token is the beginning of one. */
  readonly prefix: boolean;
}

/**
 * The phrase that finds `text` in the index. Where it ends within a spaceless script the run in the document may continue, so
 * its last token (a character alone, which stands only at the end of a run) is left out, or matched as the beginning of a
 * pair when there is nothing else.
 */
export function toPhrase(text: string): Phrase {
  const plain = normalise(text);
  const tokens: string[] = indexText(plain).match(TOKEN) ?? [];
  const lastRun = LAST_RUN.exec(plain)?.[1];
  if (lastRun === undefined) return { tokens, prefix: false };
  if (codePoints(lastRun) > 1) return { tokens: tokens.slice(0, -1), prefix: false };
  return { tokens, prefix: true };
}

export interface Unit {
  readonly start: number;
  readonly end: number;
  readonly folded: string;
}

/** Units of a text with their places in it, in the order of the text. */
export function* units(text: string): Generator<Unit> {
  for (const match of text.matchAll(UNIT)) {
    yield { start: match.index, end: match.index + match[0].length, folded: fold(match[0]) };
  }
}

/** Two spellings that the index takes for the same have the same folded form. */
function fold(token: string): string {
  if (!BEYOND_ASCII.test(token)) return token.toLowerCase();
  const plain = normalise(token).toLowerCase();
  return plain.normalize('NFD').replace(/\p{Mn}/gu, '');
}

/** A token of a query as the tokenizer writes it: in lower case, without the diacritics of Latin letters. */
export function foldWord(token: string): string {
  const plain = token.toLowerCase();
  if (!BEYOND_ASCII.test(plain)) return plain;
  return plain
    .normalize('NFD')
    .replace(/(\p{Script=Latin})[\u0300-\u036f]+/gu, '$1')
    .normalize('NFC');
}

function normalise(text: string): string {
  let plain = BEYOND_LATIN1.test(text) ? text.toWellFormed().normalize('NFKC').replaceAll('ẞ', 'SS') : text;
  if (plain.includes('ß')) plain = plain.replaceAll('ß', 'ss');
  if (plain.includes('\u00ad')) plain = plain.replaceAll('\u00ad', '');
  return plain.includes('\0') ? plain.replaceAll('\0', ' ') : plain;
}

function pairs(run: string): string {
  const characters = Array.from(run);
  let text = ' ';
  characters.forEach((character, at) => {
    text += `${character}${characters[at + 1] ?? ''} `;
  });
  return text;
}

/** Whether the word is of a script that is cut into pairs of characters. */
export function isSpaceless(word: string): boolean {
  return HAS_RUN.test(word);
}

function isSentence(word: string): boolean {
  return word.length > SENTENCE && HAS_RUN.test(word);
}

function dictionaryWords(word: string): string[] {
  const segments = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(word);
  return Array.from(segments, ({ segment }) => segment).filter((segment) => /[\p{L}\p{N}]/u.test(segment));
}

function codePoints(text: string): number {
  return Array.from(text).length;
}
