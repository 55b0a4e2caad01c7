/**
 * A text without the credentials of the addresses in it: `https://user:secret@host/` becomes `https://host/`, and values
 * of a query (`?token=…`) are dropped with it. A password may hold a slash that nobody has encoded: rather a host too many is
 * cut off than a part of it shown. Texts that are no addresses stay as they are.
 */
export function withoutCredentials(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  return text.replace(/^([^:]+:\/\/)(?:[^/?#\s]*|[^/?#\s:]*:[^\s]*)@/, '$1').replace(/\?.*$/s, '');
}
