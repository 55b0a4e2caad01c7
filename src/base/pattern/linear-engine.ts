import type { RE2JS } from 're2js';
import type { ReadPattern } from './read-pattern.js';

/**
 * RE2 in JavaScript: searches in a time that grows with the text times the pattern and no faster, whatever the pattern. It is
 * loaded when a pattern needs it: few jobs have one, and it costs 30 ms of CPU.
 */
let engine: typeof RE2JS | undefined;

export async function loadLinearEngine(): Promise<void> {
  engine ??= (await import('re2js')).RE2JS;
}

export interface LinearExpression {
  /** Somewhere in the text. */
  test(text: string): boolean;
  /** The whole text. */
  matches(text: string): boolean;
  programSize(): number;
}

/** Undefined when the engine has not been loaded, or does not know what the pattern asks for. */
export function linearExpression({ source, options }: ReadPattern): LinearExpression | undefined {
  if (engine === undefined) return undefined;
  const flags =
    (options.ignoreCase ? engine.CASE_INSENSITIVE : 0) |
    (options.dotAll ? engine.DOTALL : 0) |
    (options.multiline ? engine.MULTILINE : 0);
  try {
    return engine.compile(withHexEscapes(source), flags);
  } catch (error) {
    if (error instanceof Error && error.name === 'RE2JSSyntaxException') return undefined;
    throw error;
  }
}

/** `\u00e9` and `\u{e9}` are `\x{e9}` there. */
function withHexEscapes(source: string): string {
  return source.replace(
    /\\(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|[^])/g,
    (escape: string, four?: string, some?: string) => {
      const digits = four ?? some;
      return digits === undefined ? escape : `\\x{${digits}}`;
    },
  );
}
