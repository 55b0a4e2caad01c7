/** The texts of a dotted name in a document, through lists and keys that hold dots themselves. */
export function textsAt(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return (value as unknown[]).flatMap((item) => textsAt(item, path));
  if (path === '') return isText(value) ? [String(value)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (path === key) return textsAt(member, '');
    return path.startsWith(`${key}.`) ? textsAt(member, path.slice(key.length + 1)) : [];
  });
}

function isText(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
