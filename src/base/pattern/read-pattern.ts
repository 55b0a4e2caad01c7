/** How a pattern is read. Names and meanings are those of Java's flags. */
export interface PatternOptions {
  readonly ignoreCase: boolean;
  /** `.` is any character, also a line break. */
  readonly dotAll: boolean;
  /** `^` and `$` stand at every line, not only at both ends of the text. */
  readonly multiline: boolean;
}

/** A pattern in the syntax that Java, RE2 and V8 share as far as they do. */
export interface ReadPattern {
  readonly source: string;
  readonly options: PatternOptions;
}

const SYNTAX = '^$\\.*+?()[]{}|/';

/**
 * People write patterns as Java's engine reads them. What only Java has and the others can express is rewritten: flags in
 * front (`(?i)secret`), quotations (`\Qa.b\E`) and needless escapes (`[\ \-]`).
 *
 * Of Java's flags, `i` and `s` matter; `d`, `m`, `u` and `U` change nothing here: `\n` is always the line break, `^` and `$`
 * are the caller's to decide, and Unicode is always on. Throws a SyntaxError for another flag.
 */
export function readPattern(pattern: string, options: PatternOptions): ReadPattern {
  const [prefix = '', letters = ''] = /^\(\?([a-zA-Z]+)\)/.exec(pattern) ?? [];
  const unknown = /[^isdmuU]/.exec(letters)?.[0];
  if (unknown !== undefined)
    throw new SyntaxError(`Invalid regular expression: the flag (?${unknown}) is not supported`);
  return {
    source: withSharedEscapes(pattern.slice(prefix.length)),
    options: {
      ...options,
      ignoreCase: options.ignoreCase || letters.includes('i'),
      dotAll: options.dotAll || letters.includes('s'),
    },
  };
}

function withSharedEscapes(source: string): string {
  return source.replace(/\\Q([^]*?)(?:\\E|$)|\\([^])/gu, (escape: string, quoted?: string, character?: string) => {
    if (quoted !== undefined) return quoted.replace(/[^]/gu, literal);
    return character === undefined || /[A-Za-z0-9]/.test(character) ? escape : literal(character);
  });
}

function literal(character: string): string {
  if (SYNTAX.includes(character)) return `\\${character}`;
  if (/[\p{L}\p{N}]/u.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  return code > 0xff ? `\\u{${code.toString(16)}}` : `\\x${code.toString(16).padStart(2, '0')}`;
}
