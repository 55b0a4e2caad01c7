/** The root element of an XML document: what says which dialect it is. Read without parsing the rest. */
export interface XmlRoot {
  readonly localName: string;
  readonly namespace: string;
  readonly attributes: ReadonlyMap<string, string>;
}

const PROLOG = /^(?:\s+|<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE[^[>]*(?:\[[^]*?\]\s*)?>)/i;
const START_TAG = /^<([A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)((?:\s+[^\s=<>/]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>/;
const ATTRIBUTE = /([^\s=<>/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Undefined when the text does not begin like XML. */
export function xmlRootOf(text: string): XmlRoot | undefined {
  const [whole, prefix, localName = '', list = ''] = START_TAG.exec(afterProlog(text)) ?? [];
  if (whole === undefined) return undefined;
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single] of list.matchAll(ATTRIBUTE)) attributes.set(name, double ?? single ?? '');
  const namespace = attributes.get(prefix === undefined ? 'xmlns' : `xmlns:${prefix.slice(0, -1)}`) ?? '';
  return { localName, namespace, attributes };
}

/** Without byte order mark, declaration, comments, processing instructions and document type. */
function afterProlog(text: string): string {
  let rest = text.startsWith('\ufeff') ? text.slice(1) : text;
  for (let skipped = PROLOG.exec(rest); skipped !== null; skipped = PROLOG.exec(rest)) {
    rest = rest.slice(skipped[0].length);
  }
  return rest;
}
