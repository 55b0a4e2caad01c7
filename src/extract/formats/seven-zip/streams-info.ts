import { damagedHeader, type ByteReader } from './byte-reader.js';

/**
 * How the contents of a 7z archive are packed.
 *
 * Packed data are grouped in folders. A folder has coders that follow each other: the first reads a packed stream, each other
 * one what the one before puts out, and the last one's output is the contents of several entries, one after the other.
 * (A coder may also have several inputs; only BCJ2, a filter for programs, does.)
 */
export interface Coder {
  /** Identifier in hexadecimal digits. */
  readonly id: string;
  readonly properties: Buffer;
  /** Bytes it puts out. */
  readonly size: number;
}

export interface Folder {
  /** From the packed stream to the contents; undefined when they do not form a chain. */
  readonly chain: readonly Coder[] | undefined;
  /** Of its first packed stream, in the archive. */
  readonly packedAt: number;
  readonly packedSize: number;
  readonly size: number;
  readonly checksum: number | undefined;
  /** What the contents are cut into. */
  readonly parts: readonly FolderPart[];
}

export interface FolderPart {
  readonly size: number;
  readonly checksum: number | undefined;
}

const END = 0x00;
const PACKED_STREAMS = 0x06;
const FOLDERS = 0x07;
const PARTS = 0x08;
const SIZES = 0x09;
const CHECKSUMS = 0x0a;
const FOLDER_LIST = 0x0b;
const CODER_SIZES = 0x0c;
const PART_COUNTS = 0x0d;
/** Behind the header at the start of the file. */
const PACKED_DATA_START = 32;
const MOST_CODERS = 32;

interface PackedStream {
  readonly at: number;
  readonly size: number;
}

export function readStreamsInfo(reader: ByteReader): Folder[] {
  let packed: PackedStream[] = [];
  let folders: Folder[] = [];
  for (let id = reader.byte(); id !== END; id = reader.byte()) {
    if (id === PACKED_STREAMS) packed = readPackedStreams(reader);
    else if (id === FOLDERS) folders = readFolders(reader, packed);
    else if (id === PARTS) folders = readParts(reader, folders);
    else throw damagedHeader();
  }
  return folders;
}

function readPackedStreams(reader: ByteReader): PackedStream[] {
  let at = PACKED_DATA_START + reader.number();
  const count = reader.count();
  let streams: PackedStream[] = [];
  for (let id = reader.byte(); id !== END; id = reader.byte()) {
    if (id === SIZES) {
      streams = Array.from({ length: count }, () => {
        const stream = { at, size: reader.number() };
        at += stream.size;
        return stream;
      });
    } else if (id === CHECKSUMS) reader.checksums(count);
    else throw damagedHeader();
  }
  return streams;
}

interface FolderShape {
  readonly coders: readonly { readonly id: string; readonly properties: Buffer }[];
  readonly isLinear: boolean;
  /** Which output each input reads, by the index of the input. */
  readonly inputs: ReadonlyMap<number, number>;
  readonly outputs: number;
  readonly packedStreams: number;
}

function readFolders(reader: ByteReader, packed: readonly PackedStream[]): Folder[] {
  expect(reader, FOLDER_LIST);
  const count = reader.count();
  if (reader.byte() !== 0) throw damagedHeader();
  const shapes = Array.from({ length: count }, () => readFolder(reader));
  expect(reader, CODER_SIZES);
  const sizes = shapes.map(({ outputs }) => Array.from({ length: outputs }, () => reader.number()));
  let checksums: (number | undefined)[] = [];
  for (let id = reader.byte(); id !== END; id = reader.byte()) {
    if (id !== CHECKSUMS) throw damagedHeader();
    checksums = reader.checksums(count);
  }
  let nextPacked = 0;
  return shapes.map((shape, index) => {
    const stream = packed[nextPacked];
    if (stream === undefined) throw damagedHeader();
    nextPacked += shape.packedStreams;
    return toFolder(shape, sizes[index] ?? [], checksums[index], stream);
  });
}

function toFolder(
  shape: FolderShape,
  sizes: readonly number[],
  checksum: number | undefined,
  packed: PackedStream,
): Folder {
  const read = new Set(shape.inputs.values());
  const last = sizes.findIndex((_, output) => !read.has(output));
  const size = sizes[last];
  if (size === undefined) throw damagedHeader();
  const chain = shape.isLinear ? chainTo(last, shape, sizes) : undefined;
  return { chain, packedAt: packed.at, packedSize: packed.size, size, checksum, parts: [{ size, checksum }] };
}

/** Back from the last coder to the one that reads the packed stream. */
function chainTo(last: number, { coders, inputs }: FolderShape, sizes: readonly number[]): Coder[] {
  const chain: Coder[] = [];
  for (let index: number | undefined = last; index !== undefined; index = inputs.get(index)) {
    const coder = coders[index];
    if (coder === undefined || chain.length === coders.length) throw damagedHeader();
    chain.unshift({ ...coder, size: sizes[index] ?? 0 });
  }
  return chain;
}

const ID_LENGTH = 0x0f;
const HAS_STREAM_COUNTS = 0x10;
const HAS_PROPERTIES = 0x20;

function readFolder(reader: ByteReader): FolderShape {
  const count = reader.number();
  if (count > MOST_CODERS) throw damagedHeader();
  const coders = Array.from({ length: count }, () => readCoder(reader));
  const outputs = coders.reduce((sum, coder) => sum + coder.outputs, 0);
  if (outputs === 0) throw damagedHeader();
  const inputs = new Map(Array.from({ length: outputs - 1 }, () => [reader.number(), reader.number()] as const));
  const packedStreams = coders.reduce((sum, coder) => sum + coder.inputs, 0) - inputs.size;
  if (packedStreams > 1) for (let index = 0; index < packedStreams; index++) reader.number();
  const isLinear = coders.every((coder) => coder.inputs === 1 && coder.outputs === 1);
  return { coders, isLinear, inputs, outputs, packedStreams };
}

function readCoder(reader: ByteReader): { id: string; properties: Buffer; inputs: number; outputs: number } {
  const flags = reader.byte();
  const id = reader.bytes(flags & ID_LENGTH).toString('hex');
  const hasCounts = (flags & HAS_STREAM_COUNTS) !== 0;
  const inputs = hasCounts ? reader.number() : 1;
  const outputs = hasCounts ? reader.number() : 1;
  if (inputs > MOST_CODERS || outputs > MOST_CODERS) throw damagedHeader();
  const properties = (flags & HAS_PROPERTIES) === 0 ? Buffer.alloc(0) : reader.bytes(reader.number());
  return { id, properties, inputs, outputs };
}

/** The last part of a folder gets what the others leave; a folder of one part may have given its checksum already. */
function readParts(reader: ByteReader, folders: readonly Folder[]): Folder[] {
  let counts = folders.map(() => 1);
  let id = reader.byte();
  if (id === PART_COUNTS) {
    counts = folders.map(() => reader.count());
    id = reader.byte();
  }
  const hasSizes = id === SIZES;
  const sizes = folders.map(({ size }, index) => partSizes(reader, size, counts[index] ?? 0, hasSizes));
  if (hasSizes) id = reader.byte();
  const isKnown = (folder: Folder, index: number): boolean => counts[index] === 1 && folder.checksum !== undefined;
  let checksums: (number | undefined)[] = [];
  for (; id !== END; id = reader.byte()) {
    if (id !== CHECKSUMS) throw damagedHeader();
    const unknown = folders.reduce((sum, folder, at) => sum + (isKnown(folder, at) ? 0 : (counts[at] ?? 0)), 0);
    checksums = reader.checksums(unknown);
  }
  let next = 0;
  return folders.map((folder, at) => ({
    ...folder,
    parts: (sizes[at] ?? []).map((size) => ({
      size,
      checksum: isKnown(folder, at) ? folder.checksum : checksums[next++],
    })),
  }));
}

function partSizes(reader: ByteReader, whole: number, count: number, hasSizes: boolean): number[] {
  if (count === 0) return [];
  if (count > 1 && !hasSizes) throw damagedHeader();
  const sizes = Array.from({ length: count - 1 }, () => reader.number());
  const rest = sizes.reduce((left, size) => left - size, whole);
  if (rest < 0) throw damagedHeader();
  return [...sizes, rest];
}

function expect(reader: ByteReader, id: number): void {
  if (reader.byte() !== id) throw damagedHeader();
}
