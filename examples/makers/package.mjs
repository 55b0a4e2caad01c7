import { strToU8, zipSync } from 'fflate';

/** Built from local parts: zip archives hold local time, so the bytes are the same in every time zone. */
const TIME = new Date(2025, 10, 3, 9, 0, 0);

/** The same instant for formats that keep UTC. */
export const ISO_TIME = '2025-11-03T09:00:00Z';
export const UNIX_TIME = Date.UTC(2025, 10, 3, 9, 0, 0) / 1000;

/**
 * A zip archive of texts and bytes in the order of the object. Names in `stored` are not compressed; EPUB and
 * OpenDocument want their `mimetype` like that, in the first place.
 */
export function zipOf(entries, stored = []) {
  const files = Object.entries(entries).map(([name, content]) => {
    const bytes = typeof content === 'string' ? strToU8(content) : content;
    return [name, [bytes, { level: stored.includes(name) ? 0 : 9, mtime: TIME }]];
  });
  return zipSync(Object.fromEntries(files));
}

export function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
