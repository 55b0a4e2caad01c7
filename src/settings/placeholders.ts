/**
 * Placeholders in values: `${NAME}` stands for an environment variable, a `-D` property or another setting, whichever is
 * found first; `${NAME:=otherwise}` has a value for when there is none, or an empty one. They nest
 * (`${A:=${B:=c}}`), and `\${` is a plain `${`. A `${` without its end is plain text too.
 */
export type Lookup = (name: string) => string | undefined;

/** Throws a RangeError that names the placeholder when one has no value. */
export function resolvePlaceholders(text: string, lookup: Lookup): string {
  let resolved = '';
  let from = 0;
  for (;;) {
    const start = text.indexOf('${', from);
    if (start === -1) return resolved + text.slice(from);
    if (text[start - 1] === '\\') {
      resolved += `${text.slice(from, start - 1)}\${`;
      from = start + 2;
      continue;
    }
    const end = endOf(text, start + 2);
    if (end === -1) return resolved + text.slice(from);
    resolved += text.slice(from, start) + valueOf(text.slice(start + 2, end), lookup);
    from = end + 1;
  }
}

/** The brace that closes the placeholder whose inside begins here, or -1. */
function endOf(text: string, inside: number): number {
  let depth = 1;
  for (let index = inside; index < text.length; index += 1) {
    if (text.startsWith('${', index)) depth += 1;
    else if (text[index] === '}') depth -= 1;
    if (depth === 0) return index;
  }
  return -1;
}

function valueOf(inside: string, lookup: Lookup): string {
  const separator = inside.indexOf(':=');
  const raw = separator === -1 ? inside : inside.slice(0, separator);
  const name = resolvePlaceholders(raw, lookup).trim();
  const value = lookup(name);
  if (separator === -1) {
    if (value === undefined) {
      throw new RangeError(
        `the placeholder \${${name}} has no value. Set the environment variable ${name}, or write \${${name}:=value} to give it one here.`,
      );
    }
    return value;
  }
  if (value !== undefined && value !== '') return value;
  return resolvePlaceholders(inside.slice(separator + 2), lookup);
}

/** A text as it is written where placeholders are filled in, such that it stands for itself. */
export function withoutPlaceholders(text: string): string {
  return text.replaceAll('${', '\\${');
}
