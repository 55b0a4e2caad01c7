/**
 * The packets of SFTP version 3 (draft-ietf-secsh-filexfer-02), as far as reading needs them. Every packet is
 *
 *     uint32 length   byte type   uint32 request id   fields
 *
 * with numbers in network order and strings as `uint32 length` and bytes; strings have no encoding. The attributes of a
 * file are a bit mask and the fields whose bits are set.
 */
export const requestTypes = {
  init: 1,
  open: 3,
  close: 4,
  read: 5,
  opendir: 11,
  readdir: 12,
  realpath: 16,
  stat: 17,
} as const;

export const replyTypes = { version: 2, status: 101, handle: 102, data: 103, name: 104, attributes: 105 } as const;

export const statusCodes = {
  ok: 0,
  endOfFile: 1,
  noSuchFile: 2,
  permissionDenied: 3,
  noConnection: 6,
  connectionLost: 7,
} as const;

/** Opening a file for reading. */
export const READ_ONLY = 1;

export interface SftpAttributes {
  readonly size: number | undefined;
  readonly userId: number | undefined;
  readonly groupId: number | undefined;
  /** Type and permissions, as in `stat`. */
  readonly mode: number | undefined;
  /** Seconds. */
  readonly accessed: number | undefined;
  readonly modified: number | undefined;
}

export interface SftpName {
  readonly name: Buffer;
  /** A line like that of `ls -l`; its first letter is the type. */
  readonly longName: Buffer;
  readonly attributes: SftpAttributes;
}

export type Field = number | bigint | Buffer;

/** Numbers are uint32, bigints uint64, buffers strings. */
export function packet(type: number, fields: readonly Field[]): Buffer {
  const parts = fields.map(encoded);
  const length = parts.reduce((sum, part) => sum + part.length, 1);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(length, 0);
  head.writeUInt8(type, 4);
  return Buffer.concat([head, ...parts]);
}

function encoded(field: Field): Buffer {
  if (typeof field === 'bigint') {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(field);
    return bytes;
  }
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(typeof field === 'number' ? field : field.length);
  return typeof field === 'number' ? bytes : Buffer.concat([bytes, field]);
}

/** Reads the fields of one packet in order. Throws a RangeError when the packet is shorter than it should be. */
export class PacketReader {
  readonly type: number;
  readonly #bytes: Buffer;
  #at = 1;

  constructor(bytes: Buffer) {
    this.type = bytes.readUInt8(0);
    this.#bytes = bytes;
  }

  uint32(): number {
    const value = this.#bytes.readUInt32BE(this.#at);
    this.#at += 4;
    return value;
  }

  uint64(): number {
    const value = this.#bytes.readBigUInt64BE(this.#at);
    this.#at += 8;
    return Number(value);
  }

  /** A view, not a copy. */
  bytes(): Buffer {
    const length = this.uint32();
    if (this.#at + length > this.#bytes.length)
      throw new RangeError('a string of the packet is longer than the packet');
    const value = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return value;
  }

  /** Some servers leave out the text of a status. */
  optionalText(): string {
    return this.#at + 4 <= this.#bytes.length ? this.bytes().toString('utf8') : '';
  }

  attributes(): SftpAttributes {
    const flags = this.uint32();
    const size = (flags & 1) !== 0 ? this.uint64() : undefined;
    const [userId, groupId] = (flags & 2) !== 0 ? [this.uint32(), this.uint32()] : [];
    const mode = (flags & 4) !== 0 ? this.uint32() : undefined;
    const [accessed, modified] = (flags & 8) !== 0 ? [this.uint32(), this.uint32()] : [];
    if (flags >>> 31 === 1) this.#skipExtensions();
    return { size, userId, groupId, mode, accessed, modified };
  }

  names(): SftpName[] {
    const names: SftpName[] = [];
    for (let left = this.uint32(); left > 0; left -= 1) {
      names.push({ name: this.bytes(), longName: this.bytes(), attributes: this.attributes() });
    }
    return names;
  }

  #skipExtensions(): void {
    for (let left = 2 * this.uint32(); left > 0; left -= 1) this.bytes();
  }
}

/** No reply that we ask for is longer. */
const MAX_PACKET = 1024 * 1024;

/** Cuts a stream of bytes into packets. */
export class PacketSplitter {
  #chunks: Buffer[] = [];
  #length = 0;

  /** The packets that are complete now, without their length. Throws a RangeError for a length that cannot be. */
  add(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const packets: Buffer[] = [];
    for (let next = this.#take(); next !== undefined; next = this.#take()) packets.push(next);
    return packets;
  }

  #take(): Buffer | undefined {
    if (this.#length < 4) return undefined;
    const first = this.#gathered(4);
    const length = first.readUInt32BE(0);
    if (length === 0 || length > MAX_PACKET) throw new RangeError(`a packet of ${length} bytes`);
    if (this.#length < 4 + length) return undefined;
    const whole = this.#gathered(4 + length);
    const rest = whole.subarray(4 + length);
    if (rest.length > 0) this.#chunks[0] = rest;
    else this.#chunks.shift();
    this.#length -= 4 + length;
    return whole.subarray(4, 4 + length);
  }

  /** The first chunk, made at least so long. Chunks are only joined when a packet spans them. */
  #gathered(length: number): Buffer {
    const [first = Buffer.alloc(0), ...others] = this.#chunks;
    if (first.length >= length) return first;
    const joined = Buffer.concat([first, ...others]);
    this.#chunks = [joined];
    return joined;
  }
}
