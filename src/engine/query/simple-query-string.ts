import { editsOf, fuzzyOptions, MOST_EDITS, QUERY_STRING_NAMES, type Fuzziness } from './fuzziness.js';
import { BodyReader } from './body-reader.js';
import { fieldWeights } from './field-weights.js';
import { operatorOf, queryOf } from './parse-fulltext.js';
import { MAX_NESTING, nestedTooDeep } from './query-limits.js';
import { boolOf, MATCH_ALL, MATCH_NONE, textOf, type Fields, type QueryNode } from './query-tree.js';

/**
 * The simple_query_string syntax, which no text can break:
 *
 *   word  "a phrase"~2  prefix*  word~1 (words near it)  a + b (both)  a | b (either)  -a (not)  (…)  \x (x as it is)
 *
 * Operators are read from left to right; without one between two parts the default operator joins them. As in Elasticsearch,
 * `-a` is a part like any other: with the default operator `or`, `b -a` finds what has b, and everything without a.
 */
export function parseSimpleQueryString(value: unknown): QueryNode {
  const body = new BodyReader(value, 'a [simple_query_string] query');
  const text = queryOf(body);
  const fields = fieldWeights(body.strings('fields'), body.where);
  const operator = operatorOf(body, 'default_operator');
  const boost = body.number('boost') ?? 1;
  const fuzziness = { edits: MOST_EDITS, ...fuzzyOptions(body, QUERY_STRING_NAMES) };
  body.boolean('lenient');
  body.done();
  const query = new SimpleParser(text, fields, operator, fuzziness).parse();
  return boost === 1 ? query : boolOf({ must: [query], boost });
}

type Operator = 'or' | 'and';

/** What has been read of one level of parentheses. */
class Level {
  /** What the parts so far make when another operator follows. */
  #parts: QueryNode[] = [];
  #joinedBy: Operator = 'or';
  next: Operator | undefined;
  not = false;

  add(part: QueryNode, otherwise: Operator): void {
    const operator = this.next ?? otherwise;
    // Another operator takes what stands before as one part.
    if (this.#parts.length > 1 && this.#joinedBy !== operator) this.#parts = [boolOf(this.#joined())];
    this.#parts.push(this.not ? boolOf({ must: [MATCH_ALL], mustNot: [part] }) : part);
    this.#joinedBy = operator;
    this.next = undefined;
    this.not = false;
  }

  get query(): QueryNode | undefined {
    return this.#parts.length > 1 ? boolOf(this.#joined()) : this.#parts[0];
  }

  #joined(): Parameters<typeof boolOf>[0] {
    return { [this.#joinedBy === 'and' ? 'must' : 'should']: this.#parts };
  }
}

const PHRASE = /"((?:[^"\\]|\\.)*)"(?:~(\d+))?/suy;
const WORD = /(?:[^\s"+|()\\]|\\.|\\$)+/suy;

/** A tilde with a backslash before it is a letter. */
const FUZZY = /^((?:[^\\]|\\.)+)~(\d*)$/su;

class SimpleParser {
  readonly #text: string;
  readonly #fields: Fields;
  readonly #operator: Operator;
  readonly #fuzziness: Fuzziness;
  #at = 0;

  constructor(text: string, fields: Fields, operator: Operator, fuzziness: Fuzziness) {
    this.#text = text;
    this.#fields = fields;
    this.#operator = operator;
    this.#fuzziness = fuzziness;
  }

  parse(): QueryNode {
    return this.#level(0) ?? MATCH_NONE;
  }

  #level(depth: number): QueryNode | undefined {
    const level = new Level();
    while (this.#at < this.#text.length) {
      const character = this.#text.charAt(this.#at);
      if (character === ')' && depth > 0) break;
      if (!this.#operatorSign(character, level)) this.#part(character, level, depth);
    }
    return level.query;
  }

  /** True when the character was a space or an operator. */
  #operatorSign(character: string, level: Level): boolean {
    if (character === '+') level.next = 'and';
    else if (character === '|') level.next = 'or';
    else if (character === '-') level.not = !level.not;
    else if (character !== ')' && !/\s/.test(character)) return false;
    this.#at += 1;
    return true;
  }

  #part(character: string, level: Level, depth: number): void {
    const part = character === '(' ? this.#group(depth) : character === '"' ? this.#phrase() : this.#word();
    if (part !== undefined) level.add(part, this.#operator);
  }

  #group(depth: number): QueryNode | undefined {
    if (depth === MAX_NESTING) throw nestedTooDeep();
    this.#at += 1;
    const query = this.#level(depth + 1);
    this.#at += 1;
    return query;
  }

  /** A quotation mark without a second one is passed over. */
  #phrase(): QueryNode | undefined {
    const match = this.#take(PHRASE);
    if (match === undefined) return undefined;
    const slop = Number(match[2] ?? 0);
    return textOf(this.#fields, unescaped(match[1] ?? ''), { mode: 'phrase', slop, lenient: true });
  }

  #word(): QueryNode | undefined {
    const word = this.#take(WORD)?.[0];
    if (word === undefined) return undefined;
    const [, near, edits = ''] = FUZZY.exec(word) ?? [];
    if (near !== undefined) {
      const fuzziness = edits === '' ? this.#fuzziness : { ...this.#fuzziness, edits: editsOf(edits) };
      return textOf(this.#fields, unescaped(near), { operator: this.#operator, lenient: true, fuzziness });
    }
    if (word === '*') return MATCH_ALL;
    if (/(?:^|[^\\])(?:\\\\)*\*$/.test(word)) {
      return { kind: 'prefix', fields: this.#fields, value: unescaped(word.slice(0, -1)), boost: 1 };
    }
    return textOf(this.#fields, unescaped(word), { operator: this.#operator, lenient: true });
  }

  /** What the (sticky) expression matches here; passes over one character where it does not. */
  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#text);
    this.#at += match === null ? 1 : match[0].length;
    return match ?? undefined;
  }
}

function unescaped(text: string): string {
  return text.replace(/\\(.?)/gsu, '$1');
}
