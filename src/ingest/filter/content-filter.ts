import { loadLinearEngine } from '../../base/pattern/linear-engine.js';
import type { Pattern } from '../../base/pattern/pattern.js';
import { contentPattern } from '../../settings/filter-pattern.js';
import { SearchThread } from './search-thread.js';

interface Filter {
  readonly text: string;
  readonly pattern: Pattern;
}

/**
 * fs.filters: regular expressions that are all searched for in the text of a document; one that is not found leaves the
 * document out. What may take long is searched for in another thread.
 */
export class ContentFilter {
  readonly #texts: readonly string[];
  readonly #thread = new SearchThread();
  #filters: Promise<readonly Filter[]> | undefined;

  constructor(patterns: readonly string[]) {
    this.#texts = patterns;
  }

  /**
   * The pattern that is not found in the text, or undefined when all are. A document without text always passes. Throws
   * `timed_out` when a pattern is not decided within its time limit, and `cancelled`.
   */
  async rejecting(text: string | undefined, signal: AbortSignal): Promise<string | undefined> {
    if (text === undefined || text === '' || this.#texts.length === 0) return undefined;
    this.#filters ??= compile(this.#texts);
    for (const filter of await this.#filters) {
      if (!(await this.#isFoundIn(filter, text, signal))) return filter.text;
    }
    return undefined;
  }

  async #isFoundIn(filter: Filter, text: string, signal: AbortSignal): Promise<boolean> {
    if (filter.pattern.isQuick(text)) return filter.pattern.test(text);
    return await this.#thread.isFoundIn(filter.text, text, signal);
  }
}

async function compile(texts: readonly string[]): Promise<readonly Filter[]> {
  await loadLinearEngine();
  return texts.map((text) => ({ text, pattern: contentPattern(text) }));
}
