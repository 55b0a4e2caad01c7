/**
 * A baseline JPEG encoder (ISO 10918-1), three components without subsampling, with the example tables of its annex K; and
 * EXIF in front. Slow and simple: it encodes one small picture. Only additions, multiplications and tables of cosines are
 * used, rounded at once, so that every machine gives the same bytes.
 */
const ZIGZAG = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
  55, 62, 63,
];
const QUANTIZATION = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51,
  87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101,
  72, 92, 95, 98, 112, 100, 103, 99,
].map((value) => Math.max(1, Math.round(value * 0.5)));

/** Numbers of codes of each length from 1 to 16, and the values in the order of their codes. */
const DC_TABLE = {
  counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
  values: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
};
const AC_TABLE = {
  counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7d],
  values: [
    ...Buffer.from(
      '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a434445464748494a' +
        '535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7' +
        'c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa',
      'hex',
    ),
  ],
};

export function makeJpeg(canvas, exif) {
  const { width, height } = canvas;
  const frame = Buffer.from([
    8,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    3,
    1,
    0x11,
    0,
    2,
    0x11,
    0,
    3,
    0x11,
    0,
  ]);
  const table = (kind, { counts, values }) => segment(0xc4, Buffer.from([kind, ...counts, ...values]));
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif])),
    segment(0xdb, Buffer.from([0, ...ZIGZAG.map((at) => QUANTIZATION[at])])),
    segment(0xc0, frame),
    table(0x00, DC_TABLE),
    table(0x10, AC_TABLE),
    segment(0xda, Buffer.from([3, 1, 0, 2, 0, 3, 0, 0, 63, 0])),
    encodeScan(canvas),
    Buffer.from([0xff, 0xd9]),
  ]);
}

function segment(marker, data) {
  return Buffer.concat([Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255]), data]);
}

function encodeScan({ width, height, pixels }) {
  const bits = new BitWriter();
  const [dcCodes, acCodes] = [codesOf(DC_TABLE), codesOf(AC_TABLE)];
  const previous = [0, 0, 0];
  for (let y = 0; y < height; y += 8) {
    for (let x = 0; x < width; x += 8) {
      for (let component = 0; component < 3; component++) {
        const block = transform((column, row) => {
          const at = (Math.min(y + row, height - 1) * width + Math.min(x + column, width - 1)) * 3;
          return colourPart(component, pixels[at], pixels[at + 1], pixels[at + 2]);
        });
        encodeBlock(block, previous[component], bits, dcCodes, acCodes);
        previous[component] = block[0];
      }
    }
  }
  return bits.end();
}

/** Y, Cb, Cr, each around zero. */
function colourPart(component, red, green, blue) {
  if (component === 0) return 0.299 * red + 0.587 * green + 0.114 * blue - 128;
  if (component === 1) return -0.168736 * red - 0.331264 * green + 0.5 * blue;
  return 0.5 * red - 0.418688 * green - 0.081312 * blue;
}

/** Cosines in 2^-20, so that all that follows is exact. */
const COSINES = Array.from({ length: 8 }, (_, u) =>
  Array.from({ length: 8 }, (_, x) =>
    Math.round(Math.cos(((2 * x + 1) * u * Math.PI) / 16) * (u === 0 ? Math.SQRT1_2 : 1) * 2 ** 20),
  ),
);

/** The quantized coefficients of a block in zigzag order. */
function transform(sample) {
  const samples = Array.from({ length: 64 }, (_, i) => Math.round(sample(i % 8, i >> 3) * 16));
  const rows = Array.from({ length: 64 }, (_, i) => {
    let sum = 0;
    for (let x = 0; x < 8; x++) sum += samples[(i >> 3) * 8 + x] * COSINES[i % 8][x];
    return Math.round(sum / 2 ** 10);
  });
  return ZIGZAG.map((at) => {
    let sum = 0;
    for (let y = 0; y < 8; y++) sum += rows[y * 8 + (at % 8)] * COSINES[at >> 3][y];
    return Math.round(sum / 2 ** 30 / 64 / QUANTIZATION[at]);
  });
}

function encodeBlock(block, previousDc, bits, dcCodes, acCodes) {
  const difference = block[0] - previousDc;
  const size = bitLength(difference);
  bits.write(...dcCodes.get(size));
  bits.write(magnitude(difference, size), size);
  let zeros = 0;
  for (const value of block.slice(1)) {
    if (value === 0) {
      zeros++;
      continue;
    }
    for (; zeros > 15; zeros -= 16) bits.write(...acCodes.get(0xf0));
    const length = bitLength(value);
    bits.write(...acCodes.get((zeros << 4) | length));
    bits.write(magnitude(value, length), length);
    zeros = 0;
  }
  if (zeros > 0) bits.write(...acCodes.get(0));
}

function bitLength(value) {
  return 32 - Math.clz32(Math.abs(value));
}

/** Negative numbers are their positive ones with every bit turned. */
function magnitude(value, length) {
  return value < 0 ? value + 2 ** length - 1 : value;
}

/** Value to code and length. */
function codesOf({ counts, values }) {
  const codes = new Map();
  let code = 0;
  let next = 0;
  counts.forEach((count, i) => {
    for (let n = 0; n < count; n++) codes.set(values[next++], [code++, i + 1]);
    code <<= 1;
  });
  return codes;
}

class BitWriter {
  #bytes = [];
  #bits = 0;
  #count = 0;

  write(value, length) {
    for (let bit = length - 1; bit >= 0; bit--) {
      this.#bits = (this.#bits << 1) | ((value >> bit) & 1);
      if (++this.#count === 8) this.#flush();
    }
  }

  end() {
    while (this.#count !== 0) this.write(1, 1);
    return Buffer.from(this.#bytes);
  }

  /** A byte FF in the picture is followed by 00, so that no marker appears there. */
  #flush() {
    this.#bytes.push(this.#bits);
    if (this.#bits === 0xff) this.#bytes.push(0);
    this.#bits = 0;
    this.#count = 0;
  }
}

/**
 * EXIF: a little-endian TIFF structure with the directory of the picture, the one of the camera (0x8769) and the one of the
 * position (0x8825). Values: text, list of shorts, buffer, `{ bytes: [] }`, or
 * `{ rationals: [[numerator, denominator], …] }`.
 */
export function makeExif(picture, camera, position) {
  const first = 8;
  const second = first + directoryBytes(picture, 2);
  const third = second + directoryBytes(camera);
  const head = Buffer.from('II*\0\x08\0\0\0', 'latin1');
  const pointers = [
    [0x8769, second],
    [0x8825, third],
  ];
  return Buffer.concat([
    head,
    directory(picture, first, pointers),
    directory(camera, second),
    directory(position, third),
  ]);
}

function encodeValue(value) {
  if (typeof value === 'string') return { type: 2, count: value.length + 1, data: Buffer.from(`${value}\0`, 'latin1') };
  if (Buffer.isBuffer(value)) return { type: 7, count: value.length, data: value };
  if (value.bytes !== undefined) return { type: 1, count: value.bytes.length, data: Buffer.from(value.bytes) };
  if (Array.isArray(value)) return { type: 3, count: value.length, data: Buffer.from(Uint16Array.from(value).buffer) };
  return { type: 5, count: value.rationals.length, data: Buffer.from(Uint32Array.from(value.rationals.flat()).buffer) };
}

function padded(data) {
  return data.length > 4 ? data.length + (data.length % 2) : 0;
}

function directoryBytes(tags, pointers = 0) {
  const values = Object.values(tags).map((value) => padded(encodeValue(value).data));
  return 2 + (values.length + pointers) * 12 + 4 + values.reduce((sum, size) => sum + size, 0);
}

function directory(tags, at, pointers = []) {
  const entries = Object.entries(tags).map(([tag, value]) => ({ tag: Number(tag), ...encodeValue(value) }));
  for (const [tag, target] of pointers)
    entries.push({ tag, type: 4, count: 1, data: Buffer.from(Uint32Array.of(target).buffer) });
  entries.sort((a, b) => a.tag - b.tag);
  let valuesAt = at + 2 + entries.length * 12 + 4;
  const rows = Buffer.alloc(2 + entries.length * 12 + 4);
  const values = [];
  rows.writeUInt16LE(entries.length, 0);
  entries.forEach(({ tag, type, count, data }, i) => {
    const row = 2 + i * 12;
    rows.writeUInt16LE(tag, row);
    rows.writeUInt16LE(type, row + 2);
    rows.writeUInt32LE(count, row + 4);
    if (data.length <= 4) {
      data.copy(rows, row + 8);
      return;
    }
    rows.writeUInt32LE(valuesAt, row + 8);
    values.push(data, Buffer.alloc(data.length % 2));
    valuesAt += padded(data);
  });
  return Buffer.concat([rows, ...values]);
}
