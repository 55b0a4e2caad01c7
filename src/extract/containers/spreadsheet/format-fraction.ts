import type { FormatToken } from './format-section.js';

/**
 * Numbers as fractions: `# ?/?`, `# ??/??`, `?/8`. The digits right before the slash are the numerator's; digits before
 * those, apart from it, are the whole part. The denominator is a fixed number or the best one with so many digits.
 */
export function formatFraction(tokens: readonly FormatToken[], size: number): string {
  const slash = tokens.findIndex((each) => each.kind === 'slash');
  const { numeratorStart, hasWhole } = numeratorOf(tokens, slash);
  const denominatorText = digitsAfter(tokens, slash);
  const whole = hasWhole ? Math.floor(size) : 0;
  const { numerator, denominator } = approximate(size - whole, denominatorText.text);
  const carried = hasWhole && numerator === denominator;
  const wholeShown = whole + (carried ? 1 : 0);
  const prefix = literals(tokens.slice(0, hasWhole ? firstDigit(tokens) : numeratorStart));
  const suffix = literals(tokens.slice(denominatorText.end));
  if (hasWhole && (numerator === 0 || carried)) return `${prefix}${wholeShown}${suffix}`;
  const fraction = `${numerator}/${denominator}`;
  return `${prefix}${wholeShown > 0 ? `${wholeShown} ` : ''}${fraction}${suffix}`;
}

function numeratorOf(tokens: readonly FormatToken[], slash: number): { numeratorStart: number; hasWhole: boolean } {
  let start = slash;
  while (start > 0 && tokens[start - 1]?.kind === 'digit') start--;
  return { numeratorStart: start, hasWhole: tokens.slice(0, start).some((each) => each.kind === 'digit') };
}

function digitsAfter(tokens: readonly FormatToken[], slash: number): { text: string; end: number } {
  let end = slash + 1;
  let text = '';
  for (; end < tokens.length; end++) {
    const token = tokens[end];
    if (token === undefined || !/^[0-9#?]$/.test(token.text)) break;
    text += token.text;
  }
  return { text, end };
}

function firstDigit(tokens: readonly FormatToken[]): number {
  return tokens.findIndex((each) => each.kind === 'digit');
}

function literals(tokens: readonly FormatToken[]): string {
  return tokens.map((each) => (each.kind === 'literal' || each.kind === 'percent' ? each.text : '')).join('');
}

function approximate(part: number, denominator: string): { numerator: number; denominator: number } {
  const fixed = /^\d*[1-9]\d*$/.test(denominator) ? Number(denominator) : undefined;
  if (fixed !== undefined) return { numerator: Math.round(part * fixed), denominator: fixed };
  return bestFraction(part, 10 ** Math.min(4, Math.max(1, denominator.length)) - 1);
}

/** The closest fraction with a denominator up to `limit`, by walking the continued fraction. */
function bestFraction(part: number, limit: number): { numerator: number; denominator: number } {
  const whole = Math.floor(part);
  let [beforeTop, beforeBottom, top, bottom] = [1, 0, whole, 1];
  let rest = part - whole;
  while (rest > 1e-12) {
    const term = Math.floor(1 / rest);
    const nextBottom = term * bottom + beforeBottom;
    if (nextBottom > limit) {
      const part1 = Math.floor((limit - beforeBottom) / bottom);
      const semi = { numerator: part1 * top + beforeTop, denominator: part1 * bottom + beforeBottom };
      const closer = Math.abs(semi.numerator / semi.denominator - part) < Math.abs(top / bottom - part);
      return closer ? semi : { numerator: top, denominator: bottom };
    }
    [beforeTop, beforeBottom, top, bottom] = [top, bottom, term * top + beforeTop, nextBottom];
    rest = 1 / rest - term;
  }
  return { numerator: top, denominator: bottom };
}
