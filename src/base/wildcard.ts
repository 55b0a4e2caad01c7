/**
 * Whether a text fits a pattern in which `*` is any run of characters, and nothing else is special. Takes a time that grows
 * with the text times the pattern at most, whatever the pattern.
 */
export function wildcard(pattern: string): (text: string) => boolean {
  return wildcardOf(pattern.split('*'));
}

/**
 * The same of a pattern that has been split at its stars. What stands between two stars may always be taken where it comes
 * first, so nothing is ever tried twice.
 */
export function wildcardOf(parts: readonly string[]): (text: string) => boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return (text) => text === first;
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last)) return false;
    let from = first.length;
    for (const part of rest) {
      const at = text.indexOf(part, from);
      if (at < 0) return false;
      from = at + part.length;
    }
    return from + last.length <= text.length;
  };
}
