import { SPRM, sprmsIn } from './sprms.js';

/**
 * The style sheet, as far as numbering needs it: whether a style exists, and which list its paragraphs belong to. A style
 * takes over what the style it is based on says.
 */
export interface ParagraphStyle {
  readonly listOverride: number | undefined;
  readonly listLevel: number | undefined;
}

const NO_BASE = 0xfff;
const MAX_STYLES = 4096;
const MAX_CHAIN = 64;

interface RawStyle {
  readonly base: number;
  readonly properties: Uint8Array;
}

export class StyleSheet {
  readonly #styles: readonly (RawStyle | undefined)[];
  readonly #resolved = new Map<number, ParagraphStyle | undefined>();

  constructor(bytes: Uint8Array) {
    this.#styles = readStyles(bytes);
  }

  /** Undefined when there is no such style. */
  style(index: number): ParagraphStyle | undefined {
    if (this.#resolved.has(index)) return this.#resolved.get(index);
    const style = this.#resolve(index);
    this.#resolved.set(index, style);
    return style;
  }

  #resolve(index: number): ParagraphStyle | undefined {
    if (this.#styles[index] === undefined) return undefined;
    let listOverride: number | undefined;
    let listLevel: number | undefined;
    let current = index;
    for (let step = 0; step < MAX_CHAIN; step++) {
      const style = this.#styles[current];
      if (style === undefined) break;
      const own = listProperties(style.properties);
      listOverride ??= own.listOverride;
      listLevel ??= own.listLevel;
      current = style.base;
    }
    return { listOverride, listLevel };
  }
}

/** What a list of sprms says about the list of a paragraph. */
export function listProperties(sprms: Uint8Array): ParagraphStyle {
  let listOverride: number | undefined;
  let listLevel: number | undefined;
  for (const { code, operand } of sprmsIn(sprms)) {
    if (code === SPRM.listOverride) listOverride = operand.getUint16(0, true);
    else if (code === SPRM.listLevel) listLevel = operand.getUint8(0);
  }
  return { listOverride, listLevel };
}

/** Header size and header (number of styles, size of a style's fixed part); then each style behind its size. */
function readStyles(bytes: Uint8Array): (RawStyle | undefined)[] {
  if (bytes.length < 6) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.min(view.getUint16(2, true), MAX_STYLES);
  const fixedBytes = view.getUint16(4, true);
  const styles: (RawStyle | undefined)[] = [];
  let at = 2 + view.getUint16(0, true);
  for (let index = 0; index < count && at + 2 <= bytes.length; index++) {
    const size = view.getUint16(at, true);
    styles.push(size === 0 ? undefined : readStyle(bytes.subarray(at + 2, at + 2 + size), fixedBytes));
    at += 2 + size;
  }
  return styles;
}

function readStyle(bytes: Uint8Array, fixedBytes: number): RawStyle | undefined {
  if (bytes.length < Math.max(fixedBytes, 4) + 2) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = view.getUint16(2, true) & 0xf;
  const base = view.getUint16(2, true) >> 4;
  const nameLength = view.getUint16(fixedBytes, true);
  if (nameLength === 0) return undefined;
  const propertiesAt = even(fixedBytes + 2 + (nameLength + 1) * 2);
  if (kind !== 1 || propertiesAt + 4 > bytes.length) return { base: base === NO_BASE ? -1 : base, properties: NONE };
  const size = view.getUint16(propertiesAt, true);
  // The style's own number stands in front of its sprms.
  const properties = bytes.subarray(propertiesAt + 4, propertiesAt + 2 + size);
  return { base: base === NO_BASE ? -1 : base, properties };
}

function even(value: number): number {
  return value + (value % 2);
}

const NONE = new Uint8Array(0);
