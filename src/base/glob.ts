/**
 * Include and exclude patterns, in the peer's grammar with its regex accidents removed.
 *
 * A pattern is matched against the whole virtual path (`/sub/file.txt`, folders with a trailing `/`), ignoring case:
 * `*` is any run of characters and crosses `/`, `?` is zero or one character, everything else stands for itself.
 * A pattern without any `/` also matches the bare name. A pattern that starts with `regex:` is a regular expression.
 */
export interface PathPattern {
  readonly text: string;
  matches(virtualPath: string, isFolder: boolean): boolean;
}

export function compilePattern(text: string): PathPattern {
  const expression = toExpression(text);
  const nameOnly = !text.startsWith('regex:') && !text.includes('/') && !text.includes('\\');
  return {
    text,
    matches: (virtualPath, isFolder) => {
      const subject = toSubject(virtualPath, isFolder);
      if (expression.test(subject)) return true;
      return nameOnly && expression.test(nameOf(subject));
    },
  };
}

/** The first pattern that matches, or undefined. */
export function firstMatch(
  patterns: readonly PathPattern[],
  virtualPath: string,
  isFolder: boolean,
): PathPattern | undefined {
  return patterns.find((pattern) => pattern.matches(virtualPath, isFolder));
}

function toExpression(text: string): RegExp {
  if (text.startsWith('regex:')) return new RegExp(`^(?:${text.slice('regex:'.length)})$`, 'isu');
  const source = text
    .replaceAll('\\', '/')
    .replace(/\*+/g, '*')
    .replace(/[.+^${}()|[\]]/g, '\\$&')
    .replaceAll('?', '.?')
    .replaceAll('*', '.*');
  return new RegExp(`^${source}$`, 'is');
}

function toSubject(virtualPath: string, isFolder: boolean): string {
  const path = virtualPath.replaceAll('\\', '/');
  return isFolder && !path.endsWith('/') ? `${path}/` : path;
}

function nameOf(subject: string): string {
  const path = subject.endsWith('/') ? subject.slice(0, -1) : subject;
  return path.slice(path.lastIndexOf('/') + 1);
}
