import { Lexer, Parser } from 'yaml';

/** Settings are a few levels deep; what is far deeper is an accident or an attack, and would exhaust the stack. */
const MOST_LEVELS = 100;

/** The line at which a YAML or JSON text is nested too deeply to be read, or undefined. Stops there, whatever follows. */
export function lineOfDeepNesting(text: string): number | undefined {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // Tokens are made only as they are asked for.
    Array.from(parser.next(lexeme));
    if (parser.stack.length > MOST_LEVELS) return text.slice(0, parser.offset).split('\n').length;
  }
  return undefined;
}
