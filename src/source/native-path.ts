/**
 * File names that are not valid UTF-8. The program works with strings, so a byte that cannot be decoded is shown as
 * `\xHH` (`caf\xE9.txt`). To open such a file the raw bytes are needed again: `toNativePath` turns the shown form back.
 * A real name that happens to contain the text `\xE9` is told apart by trying the string first (see local-source and
 * remote-names).
 */
const ESCAPED_BYTE = /\\x([0-9A-F]{2})/g;

export function hasEscapedBytes(path: string): boolean {
  return path.includes('\\x') && path.search(ESCAPED_BYTE) >= 0;
}

/** The shown form of raw name bytes. */
export function toShownName(raw: Uint8Array): string {
  let shown = '';
  let at = 0;
  while (at < raw.length) {
    const length = validSequenceLength(raw, at);
    if (length === 0) {
      shown += `\\x${(raw[at] ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
      at += 1;
    } else {
      shown += Buffer.from(raw.subarray(at, at + length)).toString('utf8');
      at += length;
    }
  }
  return shown;
}

/** The raw bytes of a shown path. */
export function toNativePath(path: string): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const match of path.matchAll(ESCAPED_BYTE)) {
    parts.push(Buffer.from(path.slice(from, match.index), 'utf8'), Buffer.from([Number.parseInt(match[1] ?? '', 16)]));
    from = match.index + match[0].length;
  }
  parts.push(Buffer.from(path.slice(from), 'utf8'));
  return Buffer.concat(parts);
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Length of the valid UTF-8 sequence at `at`, or 0. */
function validSequenceLength(raw: Uint8Array, at: number): number {
  const lead = raw[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length === 0 || at + length > raw.length) return 0;
  try {
    decoder.decode(raw.subarray(at, at + length));
    return length;
  } catch {
    return 0;
  }
}
