/**
 * Signs that a person does not see and a model does, or that turn around what is seen: tag characters, marks of the
 * direction of writing, and control characters but tab and newline.
 */
const HIDDEN = /(?![\t\n])[\p{Cc}\u{E0000}-\u{E007F}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

export function safeText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HIDDEN, '');
}

/** Holds for every JSON with such a sign, and for few others: control characters stand there as escapes, tags as pairs. */
const SUSPECT = /[\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uDB40]|\\[bfru]/;

/** The same for every text in a value, which comes with its JSON. Most values have nothing to be taken out. */
export function safeValue<T extends object>(value: T): { readonly value: T; readonly json: string } {
  const json = JSON.stringify(value);
  if (!SUSPECT.test(json)) return { value, json };
  const safe = cleaned(value) as T;
  return { value: safe, json: JSON.stringify(safe) };
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return safeText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cleaned(each)]));
}
