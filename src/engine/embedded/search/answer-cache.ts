import { setNewest } from '../../../base/set-newest.js';
import type { SearchResponse } from '../../engine.js';
import { sql } from '../store/sql.js';
import type { Statements } from '../store/statements.js';
import type { SearchCall } from '../threads/protocol.js';
import type { ParsedSearch } from './search-request.js';

type Answer = Omit<SearchResponse, 'took'>;

/** What is faster is not worth its memory. */
const SLOW_MS = 20;
const CAPACITY = 32;
const MOST_CHARACTERS = 100_000;
/** Dates may be relative to the present, in a query string with its escapes as well. */
const PRESENT = /n\\*o\\*w/;

/**
 * The answers of searches that show no hits and only count, for as long as nothing is written to the file: the request cache of
 * Elasticsearch. Facets of a million documents take a second, and everybody who opens the search page asks for the same.
 */
export class AnswerCache {
  readonly #statements: Statements;
  readonly #answers = new Map<string, Answer>();
  #version: number | undefined;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** The answer that `work` has given before, or gives now. Within a read transaction, so that nothing is written meanwhile. */
  answer(search: ParsedSearch, { index, body }: SearchCall, work: () => Answer): Answer {
    if (!onlyCounts(search)) return work();
    const question = JSON.stringify([index, body]);
    if (PRESENT.test(question)) return work();
    this.#forgetOutdated();
    const known = this.#answers.get(question);
    if (known !== undefined) return known;
    const started = performance.now();
    const answer = work();
    if (performance.now() - started >= SLOW_MS) this.#keep(question, answer);
    return answer;
  }

  /** The number changes with every commit of another connection; this one never writes. */
  #forgetOutdated(): void {
    const version = this.#statements.get<{ version: number }>(
      sql`SELECT data_version AS version FROM pragma_data_version`,
    )?.version;
    if (version !== this.#version) this.#answers.clear();
    this.#version = version;
  }

  #keep(question: string, answer: Answer): void {
    if (question.length + JSON.stringify(answer).length > MOST_CHARACTERS) return;
    setNewest(this.#answers, question, answer, CAPACITY);
  }
}

/** With a limit of its own, an answer may be that nothing was found in time. */
function onlyCounts({ size, aggregations, suggest, timeoutMs }: ParsedSearch): boolean {
  return size === 0 && aggregations.length > 0 && suggest.length === 0 && timeoutMs === undefined;
}
