/**
 * Signs that a person does not see and a model does, or that turn around what is seen: tag characters, marks of the
 * direction of writing, and control characters but tab and newline.
 */
const HIDDEN = /(?![\t\n])[\p{Cc}\u{E0000}-\u{E007F}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

export function safeText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HIDDEN, '');
}

/** The same for every text in a value of JSON. */
export function safeValue<T>(value: T): T {
  return cleaned(value) as T;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return safeText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cleaned(each)]));
}
