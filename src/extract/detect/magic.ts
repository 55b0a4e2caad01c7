import { MAGIC, type MagicRow } from './magic-table.js';

interface Signature {
  readonly type: string;
  readonly pairs: readonly { readonly offset: number; readonly bytes: Buffer }[];
}

/** Rows whose first pair stands at offset 0, by their first byte; a file is compared with a handful of rows only. */
const byFirstByte = new Map<number, Signature[]>();
const elsewhere: Signature[] = [];
index();

function index(): void {
  for (const row of MAGIC) {
    const signature = toSignature(row);
    const first = signature.pairs[0];
    if (first?.offset !== 0) {
      elsewhere.push(signature);
      continue;
    }
    const key = first.bytes[0] ?? 0;
    const rows = byFirstByte.get(key);
    if (rows === undefined) byFirstByte.set(key, [signature]);
    else rows.push(signature);
  }
}

function toSignature(row: MagicRow): Signature {
  const [type, ...rest] = row;
  const pairs = [];
  for (let at = 0; at + 1 < rest.length; at += 2) {
    pairs.push({ offset: Number(rest[at]), bytes: Buffer.from(String(rest[at + 1]), 'latin1') });
  }
  return { type, pairs };
}

/** The media type of a binary format that gives itself away by fixed bytes. */
export function typeOfMagic(head: Buffer): string | undefined {
  const rows = byFirstByte.get(head[0] ?? -1);
  return (rows && firstFit(rows, head)) ?? firstFit(elsewhere, head);
}

function firstFit(rows: readonly Signature[], head: Buffer): string | undefined {
  return rows.find(({ pairs }) => pairs.every(({ offset, bytes }) => standsAt(head, offset, bytes)))?.type;
}

function standsAt(head: Buffer, offset: number, bytes: Buffer): boolean {
  if (offset + bytes.length > head.length) return false;
  for (let at = 0; at < bytes.length; at++) {
    if (head[offset + at] !== bytes[at]) return false;
  }
  return true;
}
