import type { OleContainer } from './ole.js';

/**
 * Writes compound files (see `ole.ts` for the format), so that a document inside another (a storage) can be handed on as
 * a file of its own. Sectors of 512 bytes, streams below 4096 bytes in the mini stream, children as a balanced tree.
 */
export interface OleStream {
  /** Without leading slash, storages separated by slashes. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface OleContent {
  readonly streams: readonly OleStream[];
  /** As `OleContainer.classId`. */
  readonly classId?: string | undefined;
  /** Classes of storages by path. */
  readonly storageClassIds?: ReadonlyMap<string, string | undefined>;
}

const SECTOR = 512;
const MINI_SECTOR = 64;
const MINI_CUTOFF = 4096;
const END_OF_CHAIN = 0xfffffffe;
const FREE = 0xffffffff;
const FAT_SECTOR = 0xfffffffd;
const DIFAT_SECTOR = 0xfffffffc;
const HEADER_DIFAT = 109;

interface Node {
  readonly name: string;
  readonly type: 1 | 2 | 5;
  readonly classId: string | undefined;
  readonly bytes: Uint8Array | undefined;
  readonly children: Map<string, Node>;
  left: number;
  right: number;
  child: number;
  start: number;
  size: number;
}

/**
 * The storage at `path` as a file of its own, with that storage as its root. Streams that claim more bytes together than
 * the whole file has share sectors, which is damage: those beyond are left out.
 */
export function subContainer(container: OleContainer, path: string): Uint8Array {
  const prefix = path === '' ? '' : `${path}/`;
  const streams: OleStream[] = [];
  let total = 0;
  for (const each of container.paths) {
    const bytes = each.startsWith(prefix) ? container.read(each) : undefined;
    total += bytes?.length ?? 0;
    if (bytes !== undefined && total <= container.byteLength) streams.push({ path: each.slice(prefix.length), bytes });
  }
  const storageClassIds = new Map(
    [...container.storages]
      .filter(([each]) => each.startsWith(prefix))
      .map(([each, classId]) => [each.slice(prefix.length), classId]),
  );
  return writeOle({
    streams,
    classId: path === '' ? container.classId : container.storages.get(path),
    storageClassIds,
  });
}

export function writeOle(content: OleContent): Uint8Array {
  const root = buildTree(content);
  const nodes = numberNodes(root);
  const sectors = new SectorWriter();
  placeStreams(root, nodes, sectors);
  const directory = sectors.add(directoryBytes(nodes));
  return sectors.finish(directory);
}

function node(name: string, type: 1 | 2 | 5, classId: string | undefined, bytes?: Uint8Array): Node {
  return {
    name,
    type,
    classId,
    bytes,
    children: new Map(),
    left: FREE,
    right: FREE,
    child: FREE,
    start: END_OF_CHAIN,
    size: bytes?.length ?? 0,
  };
}

function buildTree(content: OleContent): Node {
  const root = node('Root Entry', 5, content.classId);
  for (const { path, bytes } of content.streams) {
    const parts = path.split('/');
    const name = parts.pop() ?? '';
    let parent = root;
    parts.forEach((part, depth) => {
      const storagePath = parts.slice(0, depth + 1).join('/');
      const next = parent.children.get(part) ?? node(part, 1, content.storageClassIds?.get(storagePath));
      parent.children.set(part, next);
      parent = next;
    });
    parent.children.set(name, node(name, 2, undefined, bytes));
  }
  return root;
}

/** The order of the directory, with the links of the trees filled in. */
function numberNodes(root: Node): Node[] {
  const nodes = [root];
  for (const parent of nodes) {
    const children = [...parent.children.values()].sort(byName);
    const first = nodes.length;
    nodes.push(...children);
    parent.child = linkBalanced(children, first, 0, children.length);
  }
  return nodes;
}

/** Shorter names come first, names of equal length in the order of their upper-case letters. */
function byName(left: Node, right: Node): number {
  if (left.name.length !== right.name.length) return left.name.length - right.name.length;
  return left.name.toUpperCase() < right.name.toUpperCase() ? -1 : 1;
}

function linkBalanced(children: readonly Node[], first: number, from: number, to: number): number {
  if (from >= to) return FREE;
  const middle = (from + to) >> 1;
  const top = children[middle];
  if (top === undefined) return FREE;
  top.left = linkBalanced(children, first, from, middle);
  top.right = linkBalanced(children, first, middle + 1, to);
  return first + middle;
}

/** Large streams get sectors, small ones a place in the mini stream, which is the root's stream. */
function placeStreams(root: Node, nodes: readonly Node[], sectors: SectorWriter): void {
  const mini: Uint8Array[] = [];
  for (const each of nodes) {
    const bytes = each.bytes;
    if (bytes === undefined || bytes.length === 0) continue;
    if (bytes.length >= MINI_CUTOFF) each.start = sectors.add(bytes);
    else each.start = sectors.addMini(mini, bytes);
  }
  if (mini.length === 0) return;
  root.size = mini.length * MINI_SECTOR;
  root.start = sectors.add(Buffer.concat(mini));
}

function directoryBytes(nodes: readonly Node[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((nodes.length * 128) / SECTOR) * SECTOR);
  const view = new DataView(bytes.buffer);
  for (let at = nodes.length * 128; at < bytes.length; at += 128) {
    for (const link of [68, 72, 76]) view.setUint32(at + link, FREE, true);
  }
  nodes.forEach((each, index) => writeEntry(view, index * 128, each));
  return bytes;
}

function writeEntry(view: DataView, at: number, entry: Node): void {
  const name = entry.name.slice(0, 31);
  for (let index = 0; index < name.length; index++) view.setUint16(at + index * 2, name.charCodeAt(index), true);
  view.setUint16(at + 64, (name.length + 1) * 2, true);
  view.setUint8(at + 66, entry.type);
  view.setUint8(at + 67, 1);
  view.setUint32(at + 68, entry.left, true);
  view.setUint32(at + 72, entry.right, true);
  view.setUint32(at + 76, entry.child, true);
  writeGuid(view, at + 80, entry.classId);
  view.setUint32(at + 116, entry.start, true);
  view.setUint32(at + 120, entry.size, true);
}

function writeGuid(view: DataView, at: number, guid: string | undefined): void {
  const [first = '0', second = '0', third = '0', ...rest] = (guid ?? '').split('-');
  view.setUint32(at, Number.parseInt(first || '0', 16), true);
  view.setUint16(at + 4, Number.parseInt(second, 16), true);
  view.setUint16(at + 6, Number.parseInt(third, 16), true);
  const tail = Buffer.from(rest.join(''), 'hex');
  for (let index = 0; index < Math.min(tail.length, 8); index++) view.setUint8(at + 8 + index, tail[index] ?? 0);
}

/** Collects sectors and their chains; the FAT is written last, when its size is known. */
class SectorWriter {
  readonly #pieces: Uint8Array[] = [];
  readonly #fat: number[] = [];
  readonly #miniFat: number[] = [];

  /** @returns the first sector. */
  add(bytes: Uint8Array): number {
    const first = this.#fat.length;
    const count = Math.ceil(bytes.length / SECTOR);
    this.#pieces.push(padded(bytes, SECTOR));
    for (let index = 1; index <= count; index++) this.#fat.push(index === count ? END_OF_CHAIN : first + index);
    return count === 0 ? END_OF_CHAIN : first;
  }

  /** @returns the first mini sector. */
  addMini(mini: Uint8Array[], bytes: Uint8Array): number {
    const first = mini.length;
    const count = Math.ceil(bytes.length / MINI_SECTOR);
    const whole = padded(bytes, MINI_SECTOR);
    for (let index = 0; index < count; index++) {
      mini.push(whole.subarray(index * MINI_SECTOR, (index + 1) * MINI_SECTOR));
      this.#miniFat.push(index === count - 1 ? END_OF_CHAIN : first + index + 1);
    }
    return first;
  }

  finish(directory: number): Uint8Array {
    const miniFat = this.#miniFat.length === 0 ? END_OF_CHAIN : this.add(numbers(this.#miniFat, END_OF_CHAIN));
    const used = this.#fat.length;
    const { fatCount, difatCount } = fatSize(used);
    for (let index = 0; index < fatCount; index++) this.#fat.push(FAT_SECTOR);
    for (let index = 0; index < difatCount; index++) this.#fat.push(DIFAT_SECTOR);
    const fatSectors = Array.from({ length: fatCount }, (_, index) => used + index);
    const header = headerBytes({ directory, miniFat, miniFatCount: Math.ceil(this.#miniFat.length / 128), fatSectors });
    if (difatCount > 0) {
      header.setUint32(68, used + fatCount, true);
      header.setUint32(72, difatCount, true);
    }
    const difat = difatBytes(fatSectors, used + fatCount, difatCount);
    return Buffer.concat([new Uint8Array(header.buffer), ...this.#pieces, numbers(this.#fat, FREE), difat]);
  }
}

/** The FAT covers its own sectors and those of the DIFAT, so both sizes are found step by step. */
function fatSize(used: number): { fatCount: number; difatCount: number } {
  let fatCount = 0;
  let difatCount = 0;
  for (;;) {
    const total = used + fatCount + difatCount;
    const nextFat = Math.ceil(total / 128);
    const nextDifat = Math.max(0, Math.ceil((nextFat - HEADER_DIFAT) / 127));
    if (nextFat === fatCount && nextDifat === difatCount) return { fatCount, difatCount };
    fatCount = nextFat;
    difatCount = nextDifat;
  }
}

interface HeaderFields {
  readonly directory: number;
  readonly miniFat: number;
  readonly miniFatCount: number;
  readonly fatSectors: readonly number[];
}

function headerBytes({ directory, miniFat, miniFatCount, fatSectors }: HeaderFields): DataView {
  const view = new DataView(new ArrayBuffer(SECTOR));
  [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1].forEach((byte, index) => view.setUint8(index, byte));
  view.setUint16(24, 0x3e, true);
  view.setUint16(26, 3, true);
  view.setUint16(28, 0xfffe, true);
  view.setUint16(30, 9, true);
  view.setUint16(32, 6, true);
  view.setUint32(44, fatSectors.length, true);
  view.setUint32(48, directory, true);
  view.setUint32(56, MINI_CUTOFF, true);
  view.setUint32(60, miniFat, true);
  view.setUint32(64, miniFatCount, true);
  view.setUint32(68, END_OF_CHAIN, true);
  for (let index = 0; index < HEADER_DIFAT; index++) view.setUint32(76 + index * 4, fatSectors[index] ?? FREE, true);
  return view;
}

/** FAT sectors beyond those in the header: 127 a sector, then the number of the next DIFAT sector. */
function difatBytes(fatSectors: readonly number[], firstSector: number, count: number): Uint8Array {
  const values: number[] = [];
  for (let sector = 0; sector < count; sector++) {
    const from = HEADER_DIFAT + sector * 127;
    for (let index = from; index < from + 127; index++) values.push(fatSectors[index] ?? FREE);
    values.push(sector === count - 1 ? END_OF_CHAIN : firstSector + sector + 1);
  }
  return numbers(values, FREE);
}

function numbers(values: readonly number[], filler: number): Uint8Array {
  const count = Math.ceil(values.length / 128) * 128;
  const view = new DataView(new ArrayBuffer(count * 4));
  for (let index = 0; index < count; index++) view.setUint32(index * 4, values[index] ?? filler, true);
  return new Uint8Array(view.buffer);
}

function padded(bytes: Uint8Array, unit: number): Uint8Array {
  const whole = new Uint8Array(Math.ceil(bytes.length / unit) * unit);
  whole.set(bytes);
  return whole;
}
