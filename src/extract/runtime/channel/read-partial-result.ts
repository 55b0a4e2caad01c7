import { MOST_WARNINGS, type DocumentLimits } from '../../limits.js';
import { mostFactsBytes, mostTextBytes } from './answer-limits.js';
import { checkedFindings, parsedFacts, type PartialResult } from './check-extraction.js';
import { FrameReader } from './frames.js';
import { processFrame } from './messages.js';

/**
 * Decodes the partial result that a process has left: pairs of facts and text, each with what was new since the pair before.
 * Everything after the last complete and valid pair is ignored.
 */
export function readPartialResult(bytes: Buffer, limits: DocumentLimits): PartialResult | undefined {
  const merged = new MergedResult(limits);
  const frames = new FrameReader((kind) => {
    if (kind === processFrame.facts) return mostFactsBytes(limits);
    return kind === processFrame.text ? mostTextBytes(limits) : undefined;
  });
  frames.add(bytes);
  try {
    for (let facts = frames.next(); facts?.kind === processFrame.facts; facts = frames.next()) {
      const text = frames.next();
      if (text?.kind !== processFrame.text) break;
      merged.add(facts.bytes, text.bytes);
    }
  } catch {
    // The pairs before it remain valid.
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
