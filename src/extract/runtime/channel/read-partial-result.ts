import { MOST_WARNINGS, type DocumentLimits } from '../../limits.js';
import { checkedFindings, parsedFacts, type PartialResult } from './check-extraction.js';
import type { PartialBytes } from './messages.js';

/**
 * Merges the parts of a partial result, each with what was new since the one before. Everything from the first invalid part on
 * is ignored. Undefined when nothing is left.
 */
export function readPartialResult(parts: readonly PartialBytes[], limits: DocumentLimits): PartialResult | undefined {
  const merged = new MergedResult(limits);
  try {
    for (const { facts, text } of parts) merged.add(facts, text);
  } catch {
    // The parts before it remain valid.
  }
  return merged.result;
}

class MergedResult {
  readonly #limits: DocumentLimits;
  readonly #members: PartialResult['members'][number][] = [];
  readonly #warnings: string[] = [];
  #text = '';
  #newest: Omit<PartialResult, 'text'> | undefined;

  constructor(limits: DocumentLimits) {
    this.#limits = limits;
  }

  get result(): PartialResult | undefined {
    if (this.#newest === undefined) return undefined;
    return {
      ...this.#newest,
      text: this.#text,
      members: this.#members.slice(0, this.#limits.parts),
      warnings: this.#warnings.slice(0, MOST_WARNINGS),
    };
  }

  /** @throws CrawlerError `corrupt`; the result is then unchanged */
  add(facts: Buffer, text: Buffer): void {
    const all = (this.#text + text.toString()).slice(0, this.#limits.outputCharacters);
    const news = checkedFindings(parsedFacts(facts, this.#limits), all.length, this.#limits);
    this.#text = all;
    this.#newest = news;
    this.#members.push(...news.members);
    this.#warnings.push(...news.warnings);
  }
}
