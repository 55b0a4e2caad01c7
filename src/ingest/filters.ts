import { compileFilter } from '../settings/filter-pattern.js';

/**
 * fs.filters: regular expressions that are all searched in the text of a document; one that is not found leaves the
 * document out. `^` and `$` stand at line breaks. A document without text always passes.
 */
export function compileFilters(patterns: readonly string[]): (text: string | undefined) => string | undefined {
  const filters = patterns.map((pattern) => ({ pattern, expression: compileFilter(pattern) }));
  return (text) => {
    if (text === undefined || text === '') return undefined;
    return filters.find(({ expression }) => !expression.test(text))?.pattern;
  };
}
