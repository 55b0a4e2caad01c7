import type { ValueStore } from '../fields/index-fields.js';
import { occurrence, type TextTarget } from '../query/fulltext-expression.js';
import type { IndexTables } from '../store/schema.js';
import { raw, sql, type Sql } from '../store/sql.js';
import type { Statements } from '../store/statements.js';
import { whileWanted, type WorkLimit } from '../store/work-limit.js';
import { foldWord } from '../text/tokens.js';
import { EditPattern } from './edit-pattern.js';
import { editsFor, type Fuzziness } from '../../query/fuzziness.js';

/** A word, or a value, of the index that is near one of the query. */
export interface SimilarTerm {
  readonly term: string;
  readonly edits: number;
}

export interface SimilarWord extends SimilarTerm {
  /** How many documents have it in these fields, counted up to 10,000. */
  readonly documents: number;
}

const COUNTED = 10_000;

/** A longer word is only found as it is; Lucene cuts words there. */
const LONGEST_WORD = 255;

/**
 * The words of one index. FTS5 shows them through a virtual table of the connection, sorted; a row of it is an occurrence, which
 * is read no further than its word.
 */
export class IndexTerms {
  readonly #statements: Statements;
  readonly #limit: WorkLimit;
  readonly #tables: IndexTables;
  /** Documents of the index. */
  readonly documents: number;
  #vocabulary: Sql | undefined;

  constructor(
    { statements, limit }: { readonly statements: Statements; readonly limit: WorkLimit },
    { tables, documents }: { readonly tables: IndexTables; readonly documents: number },
  ) {
    this.#statements = statements;
    this.#limit = limit;
    this.#tables = tables;
    this.documents = documents;
  }

  /** The words of these fields that are near `word`, the nearest first, then in their order; the word itself among them. */
  similar(word: string, target: TextTarget, fuzziness: Fuzziness): SimilarWord[] {
    const folded = foldWord(word);
    const letters = Array.from(folded);
    const most = editsFor(fuzziness, letters.length);
    if (most === 0 || letters.length > LONGEST_WORD) return this.#known({ term: folded, edits: 0 }, target);
    const common = letters.slice(0, fuzziness.prefixLength).join('');
    const pattern = new EditPattern(folded.slice(common.length), most, fuzziness.transpositions);
    const mark = target.scope === undefined ? '' : `${target.scope}q`;
    const found = [...this.#near(mark + common, pattern)].sort((left, right) => left.edits - right.edits);
    const similar: SimilarWord[] = [];
    for (const { term, edits } of found) {
      if (similar.length === fuzziness.maxExpansions) break;
      similar.push(...this.#known({ term: term.slice(mark.length), edits }, target));
    }
    return similar;
  }

  /** The vocabulary is of all fields. */
  #known(similar: SimilarTerm, target: TextTarget): SimilarWord[] {
    const documents = this.frequency(similar.term, target, COUNTED);
    return documents === 0 ? [] : [{ ...similar, documents }];
  }

  /** In how many documents these fields have the word, counted up to `most`. */
  frequency(term: string, target: TextTarget, most = Infinity): number {
    this.#limit.check();
    const { expression } = occurrence({ tokens: [term], prefix: false }, target);
    const fts = raw(this.#tables.fts);
    const matching = sql`${fts} MATCH ${expression} AND ${whileWanted(raw('rowid'))}`;
    const upTo = Number.isFinite(most) ? sql` LIMIT ${most}` : raw('');
    const rows = sql`SELECT 1 FROM ${fts} WHERE ${matching}${upTo}`;
    return this.#statements.get<{ n: number }>(sql`SELECT count(*) AS n FROM (${rows})`)?.n ?? 0;
  }

  /** Exact texts that are near `value`, the nearest first. */
  similarValues(value: string, stores: readonly ValueStore[], fuzziness: Fuzziness): SimilarTerm[] {
    const letters = Array.from(value);
    const most = editsFor(fuzziness, letters.length);
    if (most === 0 || letters.length > LONGEST_WORD) return [{ term: value, edits: 0 }];
    const common = letters.slice(0, fuzziness.prefixLength).join('');
    const pattern = new EditPattern(value.slice(common.length), most, fuzziness.transpositions);
    const found = new Map<string, number>();
    for (const store of stores) {
      for (const stored of this.#valuesOfLength(store, letters.length - most, letters.length + most)) {
        this.#limit.check();
        const edits = stored.startsWith(common) ? pattern.edits(stored.slice(common.length)) : undefined;
        if (edits !== undefined) found.set(stored, edits);
      }
    }
    const similar = Array.from(found, ([term, edits]) => ({ term, edits }));
    return similar.sort((left, right) => left.edits - right.edits).slice(0, fuzziness.maxExpansions);
  }

  #valuesOfLength({ kind, place }: ValueStore, least: number, most: number): string[] {
    if (kind !== 'keyword') return [];
    const [value, rows] =
      'column' in place
        ? [raw(place.column), sql`${raw(this.#tables.doc)} WHERE TRUE`]
        : [raw('val'), sql`${raw(this.#tables.kv)} WHERE field = ${place.field}`];
    const fitting = sql`length(${value}) BETWEEN ${least} AND ${most} AND ${whileWanted(raw('id'))}`;
    const select = sql`SELECT DISTINCT ${value} AS v FROM ${rows} AND ${fitting}`;
    return this.#statements.all<{ v: string }>(select).map(({ v }) => v);
  }

  *#near(fixed: string, pattern: EditPattern): Generator<SimilarTerm> {
    let from: string | undefined = '';
    while (from !== undefined) {
      this.#limit.check();
      const term = this.#firstFrom(fixed + from);
      if (term?.startsWith(fixed) !== true) return;
      const rest = term.slice(fixed.length);
      const edits = pattern.edits(rest);
      if (edits !== undefined) yield { term, edits };
      from = pattern.next(rest);
    }
  }

  #firstFrom(text: string): string | undefined {
    const select = sql`SELECT term FROM ${this.#words()} WHERE term >= ${text} LIMIT 1`;
    return this.#statements.get<{ term: string }>(select)?.term;
  }

  #words(): Sql {
    if (this.#vocabulary === undefined) {
      const { fts } = this.#tables;
      this.#vocabulary = raw(`temp.words_of_${fts}`);
      const create = sql`CREATE VIRTUAL TABLE IF NOT EXISTS ${this.#vocabulary} USING fts5vocab(main, ${raw(fts)}, instance)`;
      this.#statements.run(create);
    }
    return this.#vocabulary;
  }
}
