import type { PlainEntry } from '../../containers/archive/plain-entries.js';

/**
 * Ar archives held in memory: libraries of compilers, and Debian packages.
 *
 * Behind the signature each entry has a header of 60 bytes, all text: name (16), date, owner, group, mode, size in decimal
 * digits (10, at 48), and two bytes that end it; entries begin at even places. A name that is too long stands elsewhere: GNU
 * puts all of them into an entry called `//` and writes `/` and the place in it, BSD puts it in front of the content and
 * writes `#1/` and its length. Entries called `/` and `__.SYMDEF` are indices of the compiler.
 */

const SIGNATURE_BYTES = 8;
const HEADER_BYTES = 60;
const NAME_BYTES = 16;
const SIZE = { at: 48, length: 10 };
const INDICES: ReadonlySet<string> = new Set(['/', '/SYM64/', '__.SYMDEF', '__.SYMDEF SORTED']);

export function* arEntries(archive: Uint8Array): Generator<PlainEntry> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.length);
  let longNames = '';
  for (let at = SIGNATURE_BYTES; at + HEADER_BYTES <= bytes.length;) {
    const header = bytes.toString('latin1', at, at + HEADER_BYTES);
    const size = Number.parseInt(header.slice(SIZE.at, SIZE.at + SIZE.length), 10);
    if (!header.endsWith('`\n') || !(size >= 0)) return;
    const content = bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + size);
    at += HEADER_BYTES + size + (size % 2);
    const written = header.slice(0, NAME_BYTES).trimEnd();
    if (written === '//') longNames = content.toString('latin1');
    else if (!INDICES.has(written)) yield toEntry(written, content, size, longNames);
  }
}

function toEntry(written: string, content: Buffer, size: number, longNames: string): PlainEntry {
  const complete = content.length === size;
  const [, bsdLength] = /^#1\/(\d+)$/.exec(written) ?? [];
  if (bsdLength !== undefined) {
    const length = Number(bsdLength);
    const name = content.toString('utf8', 0, length).replace(/\0+$/, '');
    return { name, bytes: content.subarray(length), complete };
  }
  const [, place] = /^\/(\d+)$/.exec(written) ?? [];
  const name = place === undefined ? written : (longNames.slice(Number(place)).split('\n', 1)[0] ?? '');
  return { name: name.replace(/\/$/, ''), bytes: content, complete };
}
