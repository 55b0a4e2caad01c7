/**
 * Compressed RTF as Outlook stores message bodies ([MS-OXRTFCP]), all numbers little-endian:
 *
 *     u32 size of what follows this field · u32 size of the RTF · u32 kind ("LZFu" or "MELA") · u32 checksum · data
 *
 * MELA is not compressed. LZFu is LZ77 over a ring of 4,096 bytes that starts with the text that most RTF begins with. Each
 * control byte rules the next eight items, lowest bit first: 0 is a literal byte; 1 is a reference of two bytes, big-endian,
 * twelve bits of position in the ring and four bits of length minus two. A reference to the write position is the end.
 */
const LZFU = 0x75465a4c;
const MELA = 0x414c454d;
const HEADER_BYTES = 16;
const RING_BYTES = 4096;
const RING_START = Buffer.from(
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans Serif' +
    'SymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx',
  'latin1',
);

/** The RTF, as far as the data goes, or undefined when this is not compressed RTF. */
export function decompressRtf(bytes: Buffer): Buffer | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const size = bytes.readUInt32LE(4);
  const data = bytes.subarray(HEADER_BYTES);
  switch (bytes.readUInt32LE(8)) {
    case MELA:
      return data.subarray(0, size);
    case LZFU:
      return decompress(data, size);
    default:
      return undefined;
  }
}

/** The size in the header is only believed as an upper bound: two bytes of data never give more than 17 of text. */
function decompress(data: Buffer, size: number): Buffer {
  const output = new RingWriter(Math.min(size, data.length * 9));
  for (let at = 0; at < data.length && !output.full;) {
    const control = data[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < data.length; bit++) {
      if ((control & (1 << bit)) === 0) {
        output.write(data[at++] ?? 0);
      } else {
        const reference = ((data[at] ?? 0) << 8) | (data[at + 1] ?? 0);
        at += 2;
        if (!output.copy(reference >> 4, (reference & 0xf) + 2)) return output.bytes;
      }
    }
  }
  return output.bytes;
}

/** The output, and the ring of its last bytes that references point into. */
class RingWriter {
  readonly #output: Buffer;
  readonly #ring = Buffer.alloc(RING_BYTES);
  #position = RING_START.length;
  #length = 0;

  constructor(size: number) {
    this.#output = Buffer.allocUnsafe(size);
    RING_START.copy(this.#ring);
  }

  get full(): boolean {
    return this.#length >= this.#output.length;
  }

  get bytes(): Buffer {
    return this.#output.subarray(0, this.#length);
  }

  write(byte: number): void {
    if (this.full) return;
    this.#output[this.#length++] = byte;
    this.#ring[this.#position] = byte;
    this.#position = (this.#position + 1) % RING_BYTES;
  }

  /** False for the reference that marks the end. */
  copy(from: number, length: number): boolean {
    if (from === this.#position) return false;
    for (let i = 0; i < length; i++) this.write(this.#ring[(from + i) % RING_BYTES] ?? 0);
    return true;
  }
}
