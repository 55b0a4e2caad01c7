import { charsetName } from './charset-names.js';

/**
 * The character set of text that says nothing about it, from the frequencies of its bytes (jschardet).
 *
 * Statistics on a few words are noise: `Käse` could be Greek or Icelandic. So a weak guess is only believed among the
 * character sets of the web, and only when it is clearly ahead of windows-1252, which is what such text usually is – unless
 * the text has letters where windows-1252 has punctuation, as text from DOS and old Macs does.
 */
const SAMPLE_BYTES = 16 * 1024;
const SURE = 0.15;
/** Half sure is enough for what the web does not use, when nothing that it uses comes near. */
const RATHER_SURE = 0.1;
const FAR_AHEAD = 3;
/** With fewer bytes than this there are no statistics. */
const FEWEST_BYTES = 4;
/** Windows-1252 stays a rival down to this part of the best guess. */
const RIVAL = 0.5;
const WESTERN = 'windows-1252';

/** Bytes that windows-1252 leaves undefined. */
const UNDEFINED = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
/** Dashes, ellipsis, apostrophe and œ: fine inside a word. */
const FINE_IN_WORDS = new Set([0x85, 0x8c, 0x92, 0x96, 0x97, 0x9c]);

interface Guess {
  readonly name: string;
  readonly confidence: number;
}

export async function guessCharset(bytes: Uint8Array): Promise<string> {
  const { chardet } = await import('jschardet');
  const sample = linesBeyondAscii(bytes);
  const web = toGuesses(chardet.detectAll(sample, { encodingEra: MODERN_WEB }));
  const likely = web[0] ?? { name: WESTERN, confidence: 0 };
  const { high, odd } = countHighBytes(sample);
  if (high >= FEWEST_BYTES) {
    const best = toGuesses(chardet.detectAll(sample))[0] ?? likely;
    const isFarAhead = best.confidence >= RATHER_SURE && best.confidence >= likely.confidence * FAR_AHEAD;
    if (best.confidence >= SURE || isFarAhead || odd * 2 > high) return best.name;
  }
  const western = web.find(({ name }) => name === WESTERN);
  return western !== undefined && western.confidence >= likely.confidence * RIVAL ? WESTERN : likely.name;
}

/** jschardet's number for the encodings that the web uses. */
const MODERN_WEB = 1;

/** Best first, without those that nothing here can decode. */
function toGuesses(results: readonly { encoding: string | null; confidence: number }[]): Guess[] {
  const guesses: Guess[] = [];
  for (const { encoding, confidence } of results) {
    const name = charsetName(encoding ?? '');
    if (name !== undefined) guesses.push({ name, confidence });
  }
  return guesses;
}

const LINE_FEED = 0x0a;

/** The lines that say something: pure ASCII is the same in all character sets, and only dilutes the statistics. */
function linesBeyondAscii(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(Math.min(bytes.length, SAMPLE_BYTES));
  let length = 0;
  for (let at = bytes.findIndex(isHigh); at !== -1 && length < sample.length;) {
    const start = bytes.lastIndexOf(LINE_FEED, at) + 1;
    const feed = bytes.indexOf(LINE_FEED, at);
    const end = feed === -1 ? bytes.length : feed + 1;
    const line = bytes.subarray(Math.max(start, at - SAMPLE_BYTES / 8), end).subarray(0, sample.length - length);
    sample.set(line, length);
    length += line.length;
    at = nextHigh(bytes, end);
  }
  return length === 0 ? bytes.subarray(0, SAMPLE_BYTES) : sample.subarray(0, length);
}

function nextHigh(bytes: Uint8Array, from: number): number {
  const at = bytes.subarray(from).findIndex(isHigh);
  return at === -1 ? -1 : from + at;
}

function isHigh(byte: number): boolean {
  return byte >= 0x80;
}

/** Bytes beyond ASCII, and those among them that would be odd in windows-1252: punctuation between two letters. */
function countHighBytes(bytes: Uint8Array): { high: number; odd: number } {
  let high = 0;
  let odd = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) continue;
    high++;
    if (byte > 0x9f || FINE_IN_WORDS.has(byte)) continue;
    if (UNDEFINED.has(byte) || (isLetter(bytes[at - 1]) && isLetter(bytes[at + 1]))) odd++;
  }
  return { high, odd };
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a));
}
