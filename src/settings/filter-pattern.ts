/**
 * `fs.filters` hold regular expressions as Java's engine reads them, searched for in the text with `^` and `$` at every
 * line. Two habits of such patterns are not JavaScript's: flags in front (`(?i)secret`) become flags of the expression, and
 * needless escapes (`[\ \-]`), which only the stricter Unicode mode refuses, are read without that mode.
 *
 * Throws a SyntaxError when the pattern cannot be compiled.
 */
export function compileFilter(pattern: string): RegExp {
  const [prefix = '', letters = ''] = /^\(\?([a-zA-Z]+)\)/.exec(pattern) ?? [];
  const source = pattern.slice(prefix.length);
  const flags = ['m', ...['i', 's'].filter((letter) => letters.includes(letter))].join('');
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    return new RegExp(source, flags);
  }
}
