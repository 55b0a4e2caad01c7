import { CrawlerError } from '../../base/errors.js';
import { editsOf, fuzzyOptions, QUERY_STRING_NAMES, type Fuzziness } from './fuzziness.js';
import { BodyReader, unsupported } from './body-reader.js';
import { fieldWeights } from './field-weights.js';
import { operatorOf, queryOf } from './parse-fulltext.js';
import { MAX_NESTING } from './query-limits.js';
import { boolOf, MATCH_ALL, MATCH_NONE, textOf, type Fields, type QueryNode, type RangeBound } from './query-tree.js';

/**
 * The query_string syntax of Lucene:
 *
 *   invoice "annual report" invo*  +must -not  a AND b  a OR b  NOT c  (a b) c
 *   field:word  field:(a OR b)  field:"a phrase"~2  field:[2024-01-01 TO *]  field:{1 TO 5}  field:>=10  _exists_:field  *:*
 *   word~ (words near it), word~1 (by one edit), word^2 (boost), \x (x as it is)
 *
 * AND, OR and NOT are not operators of a grammar with precedences but change the clauses beside them, as in Lucene: AND makes
 * both neighbours required, OR leaves them optional, and what is neither is as the default operator says.
 */
export function parseQueryString(value: unknown): QueryNode {
  const body = new BodyReader(value, 'a [query_string] query');
  const text = queryOf(body);
  const fields = fieldWeights(body.strings('fields') ?? body.strings('default_field'), body.where);
  const fuzziness = { edits: editsOf(body.text('fuzziness') ?? 'AUTO'), ...fuzzyOptions(body, QUERY_STRING_NAMES) };
  const parser = new QueryStringParser(text, operatorOf(body, 'default_operator'), fuzziness);
  const boost = body.number('boost') ?? 1;
  body.boolean('lenient');
  body.done();
  const query = parser.parse(fields);
  return boost === 1 ? query : boolOf({ must: [query], boost });
}

type Occur = 'must' | 'should' | 'mustNot';

interface Clause {
  readonly query: QueryNode;
  occur: Occur;
}

/** A word with what its backslashes protect: `text` without them, `pattern` with them. */
interface Word {
  readonly text: string;
  readonly pattern: string;
  readonly stars: number;
  readonly questions: number;
}

/** Characters of the query that a sentence about it quotes. */
const SHOWN = 200;

const END_OF_WORD = /[\s()"^~[\]{}:]/;

class QueryStringParser {
  readonly #text: string;
  readonly #operator: 'or' | 'and';
  readonly #fuzziness: Fuzziness;
  #at = 0;
  #depth = 0;

  /** `fuzziness`: of a word with a tilde and no number behind it. */
  constructor(text: string, operator: 'or' | 'and', fuzziness: Fuzziness) {
    this.#text = text;
    this.#operator = operator;
    this.#fuzziness = fuzziness;
  }

  parse(fields: Fields): QueryNode {
    const query = this.#clauses(fields);
    if (this.#at < this.#text.length) throw this.#fault('a closing parenthesis without an opening one');
    return query;
  }

  #clauses(fields: Fields): QueryNode {
    const clauses: Clause[] = [];
    for (;;) {
      this.#skipSpace();
      if (this.#at >= this.#text.length || this.#peek() === ')') break;
      const conjunction = this.#conjunction();
      const modifier = this.#modifier();
      this.#skipSpace();
      if (this.#at >= this.#text.length || this.#peek() === ')')
        throw this.#fault('an operator with nothing behind it');
      const query = this.#clause(fields);
      this.#join(clauses, conjunction, modifier, query);
    }
    return toQuery(clauses);
  }

  /** Lucene's rule for what AND and OR do to the clause before and the clause behind them. */
  #join(
    clauses: Clause[],
    conjunction: 'and' | 'or' | undefined,
    modifier: '+' | '-' | undefined,
    query: QueryNode,
  ): void {
    const last = clauses.at(-1);
    if (last !== undefined && last.occur !== 'mustNot') {
      if (conjunction === 'and') last.occur = 'must';
      if (conjunction === 'or' && this.#operator === 'and') last.occur = 'should';
    }
    clauses.push({ query, occur: this.#occur(conjunction, modifier) });
  }

  #occur(conjunction: 'and' | 'or' | undefined, modifier: '+' | '-' | undefined): Occur {
    if (modifier === '-') return 'mustNot';
    if (modifier === '+') return 'must';
    const required = this.#operator === 'and' ? conjunction !== 'or' : conjunction === 'and';
    return required ? 'must' : 'should';
  }

  #conjunction(): 'and' | 'or' | undefined {
    if (this.#take('AND', true) || this.#take('&&', false)) return 'and';
    if (this.#take('OR', true) || this.#take('||', false)) return 'or';
    return undefined;
  }

  #modifier(): '+' | '-' | undefined {
    this.#skipSpace();
    if (this.#take('+', false)) return '+';
    return this.#take('-', false) || this.#take('!', false) || this.#take('NOT', true) ? '-' : undefined;
  }

  #clause(fields: Fields): QueryNode {
    if (this.#peek() === '(') return this.#boosted(this.#group(fields));
    if (this.#peek() === '"') return this.#boosted(this.#phrase(fields));
    if (this.#peek() === '/') throw unsupported('regular expressions in a [query_string] query', 'Use * and ?.');
    const word = this.#word();
    if (this.#peek() !== ':') return this.#boosted(this.#wordQuery(fields, word));
    this.#at += 1;
    return this.#boosted(this.#fieldClause(word));
  }

  #fieldClause(name: Word): QueryNode {
    if (name.text === '_exists_') return { kind: 'exists', field: this.#word().text, boost: 1 };
    const fields: Fields = name.pattern === '*' ? undefined : [{ name: name.text, weight: 1 }];
    const next = this.#peek();
    if (next === '(') return this.#group(fields);
    if (next === '"') return this.#phrase(fields);
    if (next === '[' || next === '{') return this.#range(name.text);
    if (next === '>' || next === '<') return this.#comparison(name.text);
    if (next === '/') throw unsupported('regular expressions in a [query_string] query', 'Use * and ?.');
    return this.#wordQuery(fields, this.#word());
  }

  #group(fields: Fields): QueryNode {
    this.#depth += 1;
    if (this.#depth > MAX_NESTING) throw this.#fault(`more than ${MAX_NESTING} parentheses within each other`);
    this.#at += 1;
    const query = this.#clauses(fields);
    if (!this.#take(')', false)) throw this.#fault('an opening parenthesis without a closing one');
    this.#depth -= 1;
    return query;
  }

  #phrase(fields: Fields): QueryNode {
    const text = this.#quoted();
    const slop = this.#take('~', false) ? Number(this.#takeAll(/\d*/y) || '0') : 0;
    return textOf(fields, text, { mode: 'phrase', slop, lenient: true });
  }

  #quoted(): string {
    let text = '';
    for (this.#at += 1; this.#peek() !== '"'; this.#at += 1) {
      if (this.#peek() === '\\') this.#at += 1;
      if (this.#at >= this.#text.length) throw this.#fault('a quotation mark without a second one');
      text += this.#peek();
    }
    this.#at += 1;
    return text;
  }

  #wordQuery(fields: Fields, word: Word): QueryNode {
    if (this.#take('~', false)) return this.#fuzzyQuery(fields, word);
    if (word.pattern === '*') return fields === undefined ? MATCH_ALL : existsIn(fields);
    if (word.stars === 1 && word.questions === 0 && word.pattern.endsWith('*')) {
      return { kind: 'prefix', fields, value: word.text.slice(0, -1), boost: 1 };
    }
    if (word.stars + word.questions > 0) return { kind: 'wildcard', fields, pattern: word.pattern, boost: 1 };
    return textOf(fields, word.text, { operator: this.#operator, lenient: true });
  }

  #fuzzyQuery(fields: Fields, { text, stars, questions }: Word): QueryNode {
    if (stars + questions > 0) throw this.#fault('a tilde (~) behind a word with * or ?');
    const given = this.#takeAll(/\d*(?:\.\d+)?/y);
    const fuzziness = given === '' ? this.#fuzziness : { ...this.#fuzziness, edits: editsOf(given) };
    return textOf(fields, text, { operator: this.#operator, lenient: true, fuzziness });
  }

  #range(field: string): QueryNode {
    const lower = this.#peek() === '[' ? 'gte' : 'gt';
    this.#at += 1;
    const from = this.#rangeValue();
    this.#skipSpace();
    if (!this.#take('TO', true)) throw this.#fault('a range without TO');
    const to = this.#rangeValue();
    this.#skipSpace();
    const end = this.#peek();
    if (end !== ']' && end !== '}') throw this.#fault('a range that does not end');
    this.#at += 1;
    return rangeOf(field, [
      ...(from === '*' ? [] : [{ side: lower, value: from } as const]),
      ...(to === '*' ? [] : [{ side: end === ']' ? 'lte' : 'lt', value: to } as const]),
    ]);
  }

  /** Dates hold colons, so a value of a range ends at a space or bracket only. */
  #rangeValue(): string {
    this.#skipSpace();
    if (this.#peek() === '"') return this.#quoted();
    const value = this.#takeAll(/[^\s\]}]*/y);
    if (value === '') throw this.#fault('a range without a value');
    return value.replace(/\\(.)/gu, '$1');
  }

  #comparison(field: string): QueryNode {
    const below = this.#peek() === '<';
    this.#at += 1;
    const inclusive = this.#take('=', false);
    const side = below ? (inclusive ? 'lte' : 'lt') : inclusive ? 'gte' : 'gt';
    const value = this.#peek() === '"' ? this.#quoted() : this.#takeAll(/[^\s()]*/y);
    if (value === '') throw this.#fault('a comparison without a value');
    return rangeOf(field, [{ side, value }]);
  }

  #word(): Word {
    let text = '';
    let pattern = '';
    let stars = 0;
    let questions = 0;
    const start = this.#at;
    while (this.#at < this.#text.length && !END_OF_WORD.test(this.#peek())) {
      const escaped = this.#peek() === '\\' && this.#at + 1 < this.#text.length;
      if (escaped) this.#at += 1;
      const character = this.#peek();
      if (!escaped && character === '*') stars += 1;
      if (!escaped && character === '?') questions += 1;
      text += character;
      pattern += escaped ? `\\${character}` : character;
      this.#at += 1;
    }
    if (this.#at === start) throw this.#fault(`[${this.#peek()}] where a word should be`);
    return { text, pattern, stars, questions };
  }

  #boosted(query: QueryNode): QueryNode {
    if (!this.#take('^', false)) return query;
    const boost = this.#takeAll(/\d*(?:\.\d+)?/y);
    if (boost === '') throw this.#fault('a boost (^) without a number');
    return boolOf({ must: [query], boost: Number(boost) });
  }

  /** What the (sticky) expression matches here, maybe nothing. */
  #takeAll(expression: RegExp): string {
    expression.lastIndex = this.#at;
    const text = expression.exec(this.#text)?.[0] ?? '';
    this.#at += text.length;
    return text;
  }

  /** Takes the operator when it stands here; one of letters must end with its last letter. */
  #take(operator: string, isWord: boolean): boolean {
    if (!this.#text.startsWith(operator, this.#at)) return false;
    const behind = this.#text.charAt(this.#at + operator.length);
    if (isWord && behind !== '' && !/[\s("]/.test(behind)) return false;
    this.#at += operator.length;
    return true;
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #skipSpace(): void {
    while (/\s/.test(this.#peek())) this.#at += 1;
  }

  #fault(what: string): CrawlerError {
    const shown = this.#text.length > SHOWN ? `${this.#text.slice(0, SHOWN)}…` : this.#text;
    return new CrawlerError('corrupt', `The query [${shown}] cannot be read: it has ${what}.`);
  }
}

function toQuery(clauses: readonly Clause[]): QueryNode {
  const [first, ...more] = clauses;
  if (first === undefined) return MATCH_NONE;
  if (more.length === 0 && first.occur !== 'mustNot') return first.query;
  const having = (occur: Occur): QueryNode[] =>
    clauses.filter((each) => each.occur === occur).map(({ query }) => query);
  return boolOf({ must: having('must'), should: having('should'), mustNot: having('mustNot') });
}

function rangeOf(field: string, bounds: readonly RangeBound[]): QueryNode {
  return { kind: 'range', field, bounds, offsetMs: 0, boost: 1, lenient: true };
}

function existsIn(fields: NonNullable<Fields>): QueryNode {
  return boolOf({ should: fields.map(({ name }) => ({ kind: 'exists', field: name, boost: 1 })) });
}
