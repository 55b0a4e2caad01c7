/**
 * The tokens of one section of a number format code.
 *
 *   "text" \x        literal            _x  the width of x (dropped)      *x  fill with x (dropped)
 *   0 # ?            digit              .  ,  %  /                        point, group or scale, percent, fraction
 *   E+ E-            exponent           y m d h s, AM/PM, [h] [m] [s]     date and time
 *   [Red] [DBNum1]   dropped            [<100]  condition                 [$€-407]  currency and locale
 *   @ General        the value as it is
 */
export interface FormatToken {
  readonly kind:
    | 'literal'
    | 'digit'
    | 'point'
    | 'comma'
    | 'percent'
    | 'slash'
    | 'exponent'
    | 'date'
    | 'elapsed'
    | 'meridiem'
    | 'value';
  /** As written; letters of dates in lower case. */
  readonly text: string;
}

export interface FormatSection {
  readonly kind: 'date' | 'general' | 'fraction' | 'decimal' | 'literal';
  readonly tokens: readonly FormatToken[];
  readonly condition: ((value: number) => boolean) | undefined;
}

const separatorOrQuoted = /"[^"]*"?|\\.|\[[^\]]*\]?|;|[^"\\[;]+/gsu;

export function splitSections(formatCode: string): string[] {
  const sections = [''];
  for (const [piece] of formatCode.matchAll(separatorOrQuoted)) {
    if (piece === ';') sections.push('');
    else sections[sections.length - 1] = (sections.at(-1) ?? '') + piece;
  }
  return sections;
}

const tokenPattern = new RegExp(
  [
    /"(?<quoted>[^"]*)"?/,
    /\\(?<escaped>.)/,
    /[_*](?<dropped>.)/,
    /\[(?<bracket>[^\]]*)\]?/,
    /(?<value>general|@)/,
    /(?<meridiem>am\/pm|a\/p)/,
    /(?<exponent>e[+-])/,
    /(?<date>y+|m+|d+|h+|s+|e+|b+|g+)/,
    /(?<digit>[0#?])/,
    /(?<symbol>[.,%/])/,
    /(?<other>.)/,
  ]
    .map((each) => each.source)
    .join('|'),
  'gisu',
);

const symbols: Readonly<Record<string, FormatToken['kind']>> = {
  '.': 'point',
  ',': 'comma',
  '%': 'percent',
  '/': 'slash',
};

export function parseSection(code: string): FormatSection {
  const tokens: FormatToken[] = [];
  let condition: FormatSection['condition'];
  for (const match of code.matchAll(tokenPattern)) {
    const groups: Readonly<Record<string, string | undefined>> = match.groups ?? {};
    const bracket = groups['bracket'];
    if (bracket === undefined) addToken(tokens, groups);
    else {
      condition ??= parseCondition(bracket);
      addBracket(tokens, bracket);
    }
  }
  return { kind: kindOf(tokens), tokens, condition };
}

function addToken(tokens: FormatToken[], groups: Readonly<Record<string, string | undefined>>): void {
  const literal = groups['quoted'] ?? groups['escaped'] ?? groups['other'];
  if (literal !== undefined) tokens.push({ kind: 'literal', text: literal });
  for (const kind of ['value', 'meridiem', 'exponent', 'date', 'digit'] as const) {
    const text = groups[kind];
    if (text !== undefined) tokens.push({ kind, text: kind === 'date' ? text.toLowerCase() : text });
  }
  const symbol = groups['symbol'];
  if (symbol !== undefined) tokens.push({ kind: symbols[symbol] ?? 'literal', text: symbol });
}

function addBracket(tokens: FormatToken[], bracket: string): void {
  if (/^(h+|m+|s+)$/i.test(bracket)) tokens.push({ kind: 'elapsed', text: bracket.toLowerCase() });
  const currency = /^\$([^-]*)/.exec(bracket)?.[1];
  if (currency !== undefined && currency !== '') tokens.push({ kind: 'literal', text: currency });
}

const comparisons: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '<': (value, limit) => value < limit,
  '>': (value, limit) => value > limit,
  '<=': (value, limit) => value <= limit,
  '>=': (value, limit) => value >= limit,
  '=': (value, limit) => value === limit,
  '<>': (value, limit) => value !== limit,
};

function parseCondition(bracket: string): FormatSection['condition'] {
  const [, operator, limit] = /^(<=|>=|<>|<|>|=)\s*(-?[\d.]+)$/.exec(bracket) ?? [];
  const compare = comparisons[operator ?? ''];
  return compare && ((value) => compare(value, Number(limit)));
}

function kindOf(tokens: readonly FormatToken[]): FormatSection['kind'] {
  const has = (kind: FormatToken['kind']): boolean => tokens.some((each) => each.kind === kind);
  if (has('date') || has('elapsed') || has('meridiem')) return 'date';
  if (has('value')) return 'general';
  if (!has('digit')) return 'literal';
  return has('slash') ? 'fraction' : 'decimal';
}
