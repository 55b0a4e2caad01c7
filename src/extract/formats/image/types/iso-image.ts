import { isoBoxes, type IsoBox } from '../../../containers/iso-media/iso-boxes.js';
import type { ImageContents } from '../image-contents.js';

/**
 * HEIC, AVIF, JPEG 2000 and JPEG XL are boxes. HEIC and AVIF keep everything as items of a `meta` box: `iinf` names them,
 * `iloc` says where their bytes stand in the file, `iprp/ipco/ispe` gives sizes. JPEG 2000 has its size in `jp2h/ihdr`, XMP
 * in a `uuid` box.
 */
const MAX_DEPTH = 3;
const XMP_UUID = 'be7acfcb97a942e89c71999491e3afac';
/** The first four bytes of these boxes are version and flags. */
const FULL_BOX_BYTES = 4;

export function readIsoImage(bytes: Buffer, image: ImageContents): void {
  for (const box of isoBoxes(bytes, 'throw')) {
    if (box.type === 'meta') readMeta(box.data.subarray(FULL_BOX_BYTES), bytes, image);
    else readBox(box, image);
  }
}

function readBox(box: IsoBox, image: ImageContents, depth = 0): void {
  if (!CONTAINERS.has(box.type)) BOX_READERS[box.type]?.(box.data, image);
  else if (depth < MAX_DEPTH) for (const inner of isoBoxes(box.data, 'throw')) readBox(inner, image, depth + 1);
}

const CONTAINERS: ReadonlySet<string> = new Set(['jp2h', 'iprp', 'ipco']);

const BOX_READERS: Readonly<Record<string, (data: Buffer, image: ImageContents) => void>> = {
  ispe: (data, image) => enlarge(image, data.readUInt32BE(4), data.readUInt32BE(8)),
  ihdr: (data, image) => enlarge(image, data.readUInt32BE(4), data.readUInt32BE(0)),
  pixi: (data, image) => {
    image.bitsPerSample ??= [...data.subarray(5, 5 + data.readUInt8(4))].join(' ');
  },
  uuid: (data, image) => {
    if (data.toString('hex', 0, 16) === XMP_UUID) image.xmp = data.subarray(16);
  },
  Exif: (data, image) => {
    image.exif = data.subarray(4 + data.readUInt32BE(0));
  },
  'xml ': (data, image) => {
    image.xmp = data;
  },
};

/** Thumbnails and tiles have sizes too; the whole picture is the largest. */
function enlarge(image: ImageContents, width: number, height: number): void {
  if (width * height <= (image.width ?? 0) * (image.height ?? 0)) return;
  image.width = width;
  image.height = height;
}

function readMeta(meta: Buffer, file: Buffer, image: ImageContents): void {
  for (const box of isoBoxes(meta, 'throw')) readBox(box, image);
  const parts = new Map([...isoBoxes(meta, 'throw')].map((box) => [box.type, box.data]));
  const locations = itemLocations(parts.get('iloc') ?? Buffer.alloc(0));
  for (const item of itemInfos(parts.get('iinf') ?? Buffer.alloc(0))) {
    const location = locations.get(item.id);
    if (location === undefined) continue;
    const data = file.subarray(location.start, location.start + location.length);
    if (item.type === 'Exif' && data.length > 4) image.exif = data.subarray(4 + data.readUInt32BE(0));
    if (item.contentType === 'application/rdf+xml') image.xmp = data;
  }
}

interface Item {
  readonly id: number;
  readonly type: string;
  readonly contentType: string;
}

function* itemInfos(iinf: Buffer): Generator<Item> {
  if (iinf.length < 8) return;
  const start = iinf.readUInt8(0) === 0 ? 6 : 8;
  for (const { type, data } of isoBoxes(iinf.subarray(start), 'throw')) {
    const version = data[0] ?? 0;
    if (type !== 'infe' || version < 2) continue;
    const wide = version === 2 ? 0 : 2;
    const id = wide === 0 ? data.readUInt16BE(4) : data.readUInt32BE(4);
    const [, contentType = ''] = data.toString('latin1', 12 + wide).split('\0');
    yield { id, type: data.toString('latin1', 8 + wide, 12 + wide), contentType };
  }
}

interface Location {
  readonly start: number;
  readonly length: number;
}

/** Only the first extent of an item: metadata is not scattered. The sizes of the fields are variable, in bytes. */
function itemLocations(iloc: Buffer): Map<number, Location> {
  const locations = new Map<number, Location>();
  if (iloc.length < 8) return locations;
  const version = iloc.readUInt8(0);
  const sizes = iloc.readUInt16BE(4);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 0xf, (sizes >> 4) & 0xf];
  const indexBytes = version === 0 ? 0 : sizes & 0xf;
  const idBytes = version < 2 ? 2 : 4;
  const read = new Fields(iloc, 6);
  for (let count = read.next(idBytes); count > 0; count--) {
    const id = read.next(idBytes);
    read.next(version === 0 ? 2 : 4);
    const base = read.next(baseBytes);
    const extents = read.next(2);
    if (extents === 0) continue;
    read.next(indexBytes);
    locations.set(id, { start: base + read.next(offsetBytes), length: read.next(lengthBytes) });
    read.skip((extents - 1) * (indexBytes + offsetBytes + lengthBytes));
  }
  return locations;
}

/** Big-endian numbers of 0, 2, 4 or 8 bytes, one after the other. */
class Fields {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  next(size: number): number {
    const at = this.#at;
    this.#at += size;
    if (size === 0) return 0;
    return size === 8 ? Number(this.#bytes.readBigUInt64BE(at)) : this.#bytes.readUIntBE(at, size);
  }
}
