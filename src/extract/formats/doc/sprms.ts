/**
 * Formatting as Word 97 and later stores it: a list of single property modifiers ("sprm"), each a 16-bit code and an
 * operand whose size stands in the code's upper three bits.
 */
export interface Sprm {
  readonly code: number;
  readonly operand: DataView;
}

export const SPRM = {
  styleIndex: 0x4600,
  listLevel: 0x260a,
  listOverride: 0x460b,
  tableRowEnd: 0x2417,
  deleted: 0x0800,
  pictureOffset: 0x6a03,
  special: 0x0855,
} as const;

const OPERAND_BYTES = [1, 1, 2, 4, 2, 2, 0, 3] as const;
/** Definitions of tables and tab stops have sizes of their own. */
const TABLE_DEFINITION = 0xd608;
const CHANGE_TABS = 0xc615;

export function* sprmsIn(bytes: Uint8Array): Generator<Sprm> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at + 2 < bytes.length) {
    const code = view.getUint16(at, true);
    at += 2;
    const size = operandBytes(view, at, code);
    if (at + size > bytes.length) return;
    yield { code, operand: new DataView(bytes.buffer, bytes.byteOffset + at, size) };
    at += size;
  }
}

/** Sizes below the variable ones include the byte, or the two bytes, that tell them. */
function operandBytes(view: DataView, at: number, code: number): number {
  const fixed = OPERAND_BYTES[code >> 13] ?? 0;
  if (fixed > 0) return fixed;
  if (code === TABLE_DEFINITION && at + 2 <= view.byteLength) return view.getUint16(at, true) + 1;
  const size = at < view.byteLength ? view.getUint8(at) : 0;
  if (code !== CHANGE_TABS || size !== 255) return size + 1;
  const deleted = at + 1 < view.byteLength ? view.getUint8(at + 1) : 0;
  const addedAt = at + 2 + deleted * 4;
  const added = addedAt < view.byteLength ? view.getUint8(addedAt) : 0;
  return 3 + deleted * 4 + added * 3;
}
