import { crc32, deflateRawSync } from 'node:zlib';

/** Small writers for archives, so that tests can make damaged and malicious ones as easily as good ones. */
export interface ArchiveEntry {
  readonly name: string;
  readonly content: Uint8Array | string;
}

/** An entry whose compressed bytes are made once and may be used in many archives. */
export interface PackedEntry {
  readonly name: string;
  readonly packed: Buffer;
  readonly size: number;
  readonly checksum: number;
}

export function pack({ name, content }: ArchiveEntry): PackedEntry {
  const bytes = Buffer.from(content);
  return { name, packed: deflateRawSync(bytes), size: bytes.length, checksum: crc32(bytes) };
}

export function makeZip(entries: readonly (ArchiveEntry | PackedEntry)[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries.map((each) => ('packed' in each ? each : pack(each)))) {
    const name = Buffer.from(entry.name);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt16LE(0x0800, 2);
    header.writeUInt16LE(8, 4);
    header.writeUInt32LE(entry.checksum, 10);
    header.writeUInt32LE(entry.packed.length, 14);
    header.writeUInt32LE(entry.size, 18);
    header.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), header, name, entry.packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), header, tail, name);
    locals.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, list, end]);
}

const BLOCK = 512;

export function tarHeader(name: string, size: number, kind = '0', signature = 'ustar\0' + '00'): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name.slice(0, 100), 0);
  header.write('0000644\0', 100);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(kind, 156);
  header.write(signature, 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

export function tarEntry(name: string, content: string | Uint8Array, kind = '0', signature?: string): Buffer {
  const bytes = Buffer.from(content);
  const padding = Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK);
  return Buffer.concat([tarHeader(name, bytes.length, kind, signature), bytes, padding]);
}

export function makeTar(entries: readonly ArchiveEntry[]): Buffer {
  return Buffer.concat([...entries.map(({ name, content }) => tarEntry(name, content)), Buffer.alloc(2 * BLOCK)]);
}
