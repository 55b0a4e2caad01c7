import type { ReadPattern } from './read-pattern.js';

/** Letters that mean something after a backslash to V8 as well. */
const KNOWN_ESCAPES = 'bBcdDfknpPrsStuvwWx';

/**
 * The pattern for V8's own engine, which knows lookaround and backreferences, and whose time has no bound.
 *
 * Throws a SyntaxError when the pattern cannot be compiled.
 */
export function nativeExpression({ source, options }: ReadPattern): RegExp {
  const flags = `${options.multiline ? 'm' : ''}${options.ignoreCase ? 'i' : ''}${options.dotAll ? 's' : ''}`;
  const foreign = foreignEscape(source);
  if (foreign !== undefined) throw new SyntaxError(`Invalid regular expression: ${foreign} is not supported`);
  const rewritten = withoutAnchors(source);
  try {
    return new RegExp(rewritten, `${flags}u`);
  } catch (error) {
    // Lone braces (`a{`) are refused in Unicode mode only; but outside it, these would silently mean something else.
    if (/\\[pPuk]/.test(rewritten)) throw error;
    return new RegExp(rewritten, flags);
  }
}

/** An escaped letter that only Java or RE2 know, and that V8 would take for the letter itself. */
function foreignEscape(source: string): string | undefined {
  for (const [escape] of source.matchAll(/\\[^]/g)) {
    if (/[A-Za-z]/.test(escape) && !'Az'.includes(escape.slice(1)) && !KNOWN_ESCAPES.includes(escape.slice(1)))
      return escape;
  }
  return undefined;
}

/** `\A` and `\z`, both ends of the text. */
function withoutAnchors(source: string): string {
  const anchors: Readonly<Record<string, string>> = { '\\A': '(?<![^])', '\\z': '(?![^])' };
  return source.replace(/\\[^]/g, (escape) => anchors[escape] ?? escape);
}
