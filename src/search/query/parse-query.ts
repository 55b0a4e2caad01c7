import { CrawlerError } from '../../base/errors.js';
import type { FieldValue, QueryNode } from './query-node.js';

/**
 * The query language for people (docs/search.md):
 *
 *   word  "a phrase"  "a phrase"~2  begin*  word~  a b (both)  a | b (either)  -a (not)  (…)  field:value  \x (x as it is)
 *
 * Operators are read from left to right, as `simple_query_string` reads them; AND, OR and NOT in capitals are the same as
 * a space, `|` and `-`. A sign that stands alone is passed over, so that a title can be pasted as it is.
 *
 * Throws `corrupt` with a sentence for what is not closed.
 */
export function parseQuery(text: string, otherwise: 'and' | 'or' = 'and'): QueryNode {
  if (text.length > MAX_CHARACTERS) {
    throw broken(`A search may have ${MAX_CHARACTERS} characters; this one has ${text.length}.`);
  }
  return new QueryParser(text, otherwise).parse();
}

const MAX_CHARACTERS = 5000;
const MAX_NESTING = 20;

const SPACE = /\s+/y;
/** AND, OR and NOT are operators only as words of their own. */
const OPERATOR = /(?:(AND|OR|NOT)(?=[\s()"]|$)|(&&|\|\||[|+]))/y;
const PHRASE = /"((?:[^"\\]|\\.)*)"(~\d+)?/suy;
const WORD = /(?:[^\s"+|()\\]|\\.|\\$)+/suy;
/** `http://host`, `std::vector` and `C:\x` are words. */
const FIELD = /([\p{L}_][\p{L}\p{N}_.-]*):(?![\s:\\]|\/\/|$)/uy;
const VALUE = /(?:[^\s"()|\\]|\\.)+/suy;
const RANGE = /(?:[[{][^\]}]*[\]}]|[<>]=?(?:"[^"]*"|[^\s()]+))/y;

class QueryParser {
  readonly #text: string;
  readonly #otherwise: 'and' | 'or';
  #at = 0;

  constructor(text: string, otherwise: 'and' | 'or') {
    this.#text = text;
    this.#otherwise = otherwise;
  }

  parse(): QueryNode {
    return this.#level(undefined, 0) ?? { kind: 'everything' };
  }

  /** Parts up to the end or the closing parenthesis; `field` is the one whose values these are. */
  #level(field: string | undefined, depth: number): QueryNode | undefined {
    if (depth > MAX_NESTING) throw broken(`The search has more than ${MAX_NESTING} parentheses within each other.`);
    let joined: QueryNode | undefined;
    for (;;) {
      const { operator, negated } = this.#signs();
      if (this.#at >= this.#text.length || (depth > 0 && this.#peek() === ')')) return joined;
      const part = this.#part(field, depth);
      if (part === undefined) continue;
      const node: QueryNode = negated ? { kind: 'not', node: part } : part;
      joined = joined === undefined ? node : join(joined, node, operator ?? this.#otherwise);
    }
  }

  /** Everything in front of a part; of several operators the last one counts. */
  #signs(): { readonly operator: 'and' | 'or' | undefined; readonly negated: boolean } {
    let operator: 'and' | 'or' | undefined;
    let negated = false;
    for (let sign = this.#sign(); sign !== undefined; sign = this.#sign()) {
      if (sign === 'and' || sign === 'or') operator = sign;
      if (sign === 'not') negated = !negated;
    }
    return { operator, negated };
  }

  /** An operator or what is passed over; undefined where a part begins. */
  #sign(): 'and' | 'or' | 'not' | 'none' | undefined {
    if (this.#take(SPACE) !== undefined) return 'none';
    const operator = this.#take(OPERATOR);
    if (operator !== undefined) return OPERATORS[operator[0]] ?? 'none';
    if (this.#peek() !== '-') return undefined;
    this.#at += 1;
    return /^[\s)|+]?$/.test(this.#peek()) ? 'none' : 'not';
  }

  #part(field: string | undefined, depth: number): QueryNode | undefined {
    if (this.#peek() === ')') throw this.#unbalanced(')', this.#at, 'has no opening one');
    if (this.#peek() === '(') return this.#group(field, depth);
    if (field !== undefined) return this.#value(field, this.#at);
    const at = this.#at;
    const name = this.#take(FIELD)?.[1];
    if (name === undefined) return this.#words();
    return this.#peek() === '(' ? this.#group(name, depth) : this.#value(name, at);
  }

  #words(): QueryNode {
    if (this.#peek() === '"') return { kind: 'words', text: this.#phrase()[0] };
    const word = this.#take(WORD)?.[0] ?? '';
    if (word === '*' || word === '*:*') return { kind: 'everything' };
    return { kind: /[^\\]\*.|^\*./su.test(word) ? 'pattern' : 'words', text: word };
  }

  #group(field: string | undefined, depth: number): QueryNode | undefined {
    const start = this.#at;
    this.#at += 1;
    const node = this.#level(field, depth + 1);
    if (this.#peek() !== ')') throw this.#unbalanced('(', start, 'is not closed');
    this.#at += 1;
    return node;
  }

  #value(name: string, at: number): QueryNode {
    return { kind: 'field', name, at, value: this.#fieldValue(name) };
  }

  #fieldValue(name: string): FieldValue {
    if (this.#peek() === '"') {
      const [source, inner = ''] = this.#phrase();
      return { kind: 'phrase', text: unescaped(inner), source };
    }
    const range = this.#take(RANGE)?.[0];
    if (range !== undefined) return { kind: 'range', source: range };
    const source = this.#take(VALUE)?.[0];
    if (source === undefined) throw broken(`The search has nothing behind [${name}:].`);
    return { kind: 'word', text: unescaped(source), source };
  }

  #phrase(): RegExpExecArray {
    const start = this.#at;
    const match = this.#take(PHRASE);
    if (match === undefined) throw this.#unbalanced('"', start, 'is not closed');
    return match;
  }

  #unbalanced(sign: string, at: number, fault: string): CrawlerError {
    const name = sign === '"' ? 'quotation mark' : 'parenthesis';
    return broken(
      `The ${name} at character ${at + 1} of the search ${fault}. To search for the sign itself, write \\${sign}.`,
    );
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#text);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match;
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }
}

const OPERATORS: Readonly<Record<string, 'and' | 'or' | 'not'>> = {
  AND: 'and',
  '&&': 'and',
  '+': 'and',
  OR: 'or',
  '||': 'or',
  '|': 'or',
  NOT: 'not',
};

/** Parts that the same operator joins are one node. */
function join(left: QueryNode, right: QueryNode, operator: 'and' | 'or'): QueryNode {
  const before = left.kind === operator ? left.nodes : [left];
  return { kind: operator, nodes: [...before, right] };
}

function unescaped(text: string): string {
  return text.replace(/\\(.?)/gsu, '$1');
}

function broken(sentence: string): CrawlerError {
  return new CrawlerError('corrupt', sentence);
}
