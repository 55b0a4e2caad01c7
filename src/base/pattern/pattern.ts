import { CrawlerError } from '../errors.js';
import { printDuration } from '../units.js';
import { linearExpression, type LinearExpression } from './linear-engine.js';
import { nativeExpression } from './native-expression.js';
import { readPattern, type PatternOptions, type ReadPattern } from './read-pattern.js';
import { withinTimeLimit } from './within-time-limit.js';

/** Whether the pattern has to be found somewhere in the text, or to fit all of it. */
export type Extent = 'part' | 'whole';

/** Characters of the text times instructions of the pattern: RE2 takes about 50 ms for them at most. */
const QUICK_STEPS = 20_000_000;

const DEFAULT_LIMIT_MS = 250;

/**
 * A regular expression that somebody else wrote. Two engines serve it, so that no pattern can take the program's time:
 *
 * 1. RE2 (linear-engine.ts), if it has been loaded and knows the pattern: its time grows with text and pattern, no faster.
 * 2. V8's own engine, for lookaround, backreferences and counts above 1,000, always within a time limit.
 *
 * A long text under a large pattern is searched within the time limit by RE2, too.
 */
export class Pattern {
  readonly #text: string;
  readonly #extent: Extent;
  readonly #read: ReadPattern;
  readonly #native: RegExp;
  #linear: LinearExpression | undefined;

  /** Throws a SyntaxError when the text is no pattern. */
  constructor(text: string, extent: Extent, options: PatternOptions) {
    this.#text = text;
    this.#extent = extent;
    this.#read = readPattern(text, options);
    // Compiled for every pattern: what is valid must not depend on which engine is loaded.
    nativeExpression(this.#read);
    const { source } = this.#read;
    this.#native = nativeExpression(extent === 'whole' ? { ...this.#read, source: `^(?:${source})$` } : this.#read);
    this.#linear = linearExpression(this.#read);
  }

  /** The text needs no time limit: it takes some milliseconds. */
  isQuick(text: string): boolean {
    return this.#linear !== undefined && text.length * this.#linear.programSize() <= QUICK_STEPS;
  }

  /** Throws `timed_out` when it is not decided within the limit; what is quick has none. */
  test(text: string, limitMs = DEFAULT_LIMIT_MS): boolean {
    if (this.isQuick(text)) return this.#search(text);
    const result = withinTimeLimit(limitMs, () => this.#search(text));
    if (result.kind === 'value') return result.value;
    // It was ended in the middle of its work on its own tables.
    if (this.#linear !== undefined) this.#linear = linearExpression(this.#read);
    throw new CrawlerError(
      'timed_out',
      `The pattern [${this.#text}] was not decided within ${printDuration(limitMs)}. Write it without lookaround, backreferences and nested repetition.`,
    );
  }

  #search(text: string): boolean {
    if (this.#linear === undefined) return this.#native.test(text);
    return this.#extent === 'whole' ? this.#linear.matches(text) : this.#linear.test(text);
  }
}
