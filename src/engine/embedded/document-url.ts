/** Where the REST service answers with a document. The id keeps what a path segment may hold (`:` and `@`, say). */
export function documentUrl(baseUrl: string, index: string, id: string): string {
  const base = baseUrl.replace(/\/+$/, '');
  return `${base}/_engine/${segment(index)}/_doc/${segment(id)}`;
}

function segment(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, decodeURIComponent);
}
