import { deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import * as imageExtractor from '../../../../../src/extract/formats/image/image-extractor.js';
import { runFormat, type FormatResult } from '../../../../support/format-harness.js';
import { expectNoSurprises } from '../../mutations.js';

function extract(bytes: Buffer, mediaType = 'image/jpeg'): Promise<FormatResult> {
  return runFormat(imageExtractor, { name: 'picture', mediaType, bytes });
}

function be(size: 1 | 2 | 4, ...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * size);
  values.forEach((value, i) => bytes.writeUIntBE(value, i * size, size));
  return bytes;
}

function le(size: 1 | 2 | 4, ...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * size);
  values.forEach((value, i) => bytes.writeUIntLE(value, i * size, size));
  return bytes;
}

type TagValue = string | readonly number[] | { readonly rationals: readonly number[] } | { readonly bytes: Buffer };

/** A TIFF structure with one directory and the directories that it points to. */
function tiff(
  picture: Record<number, TagValue>,
  inner: Record<number, Record<number, TagValue>> = {},
  little = true,
): Buffer {
  const number = little ? le : be;
  const parts: Buffer[] = [Buffer.from(little ? 'II' : 'MM'), number(2, 42), number(4, 8)];
  let at = 8;
  const write = (...buffers: Buffer[]): void => {
    parts.push(...buffers);
    at += buffers.reduce((sum, buffer) => sum + buffer.length, 0);
  };
  const encode = (value: TagValue): [type: number, count: number, data: Buffer] => {
    if (typeof value === 'string') return [2, Buffer.byteLength(value) + 1, Buffer.from(`${value}\0`)];
    if ('rationals' in value) {
      return [
        5,
        value.rationals.length,
        number(4, ...value.rationals.flatMap((item) => [Math.round(item * 10_000), 10_000])),
      ];
    }
    return 'bytes' in value ? [7, value.bytes.length, value.bytes] : [3, value.length, number(2, ...value)];
  };
  const writeDirectory = (tags: Record<number, TagValue>, pointers: number[]): void => {
    const entries = Object.entries(tags).map(([tag, value]) => [Number(tag), ...encode(value)] as const);
    const count = entries.length + pointers.length;
    let data = at + 2 + count * 12 + 4;
    const values: Buffer[] = [];
    const rows = entries.map(([tag, type, length, bytes]) => {
      const row = Buffer.concat([number(2, tag, type), number(4, length)]);
      if (bytes.length <= 4) return Buffer.concat([row, bytes, Buffer.alloc(4 - bytes.length)]);
      values.push(bytes);
      data += bytes.length;
      return Buffer.concat([row, number(4, data - bytes.length)]);
    });
    for (const pointer of pointers) {
      const size = Object.values(inner[pointer] ?? {}).reduce((sum, value) => sum + encode(value)[2].length, 0);
      rows.push(Buffer.concat([number(2, pointer, 4), number(4, 1, data)]));
      data += 2 + Object.keys(inner[pointer] ?? {}).length * 12 + 4 + size;
    }
    write(number(2, count), ...rows, number(4, 0), ...values);
    for (const pointer of pointers) writeSimple(inner[pointer] ?? {});
  };
  /** Every value behind its directory, even short ones, so that sizes are easy to foresee. */
  const writeSimple = (tags: Record<number, TagValue>): void => {
    const entries = Object.entries(tags).map(([tag, value]) => [Number(tag), ...encode(value)] as const);
    let data = at + 2 + entries.length * 12 + 4;
    const rows = entries.map(([tag, type, length, bytes]) => {
      const row = Buffer.concat([number(2, tag, type), number(4, length)]);
      data += bytes.length;
      if (bytes.length <= 4) return Buffer.concat([row, bytes, Buffer.alloc(4 - bytes.length)]);
      return Buffer.concat([row, number(4, data - bytes.length)]);
    });
    write(number(2, entries.length), ...rows, number(4, 0), ...entries.map(([, , , bytes]) => bytes));
  };
  writeDirectory(picture, Object.keys(inner).map(Number));
  return Buffer.concat(parts);
}

const CAMERA_TAGS = tiff(
  {
    0x010e: 'seen from the quay',
    0x010f: 'Boxmaker',
    0x0110: 'Box 2',
    0x0112: [6],
    0x011a: { rationals: [72] },
    0x011b: { rationals: [72] },
    0x0128: [2],
    0x0131: 'Darkroom 1',
    0x0132: '2020:03:02 11:12:13',
    0x013b: 'Harbour office',
    0x4746: [4],
    0x8298: 'Town of Portholm',
    0x9c9e: { bytes: Buffer.from('lamp;bay\0', 'utf16le') },
  },
  {
    0x8769: {
      0x829a: { rationals: [0.005] },
      0x829d: { rationals: [5.6] },
      0x8827: [400],
      0x9003: '2019:03:02 11:12:13',
      0x9209: [1],
      0x920a: { rationals: [50] },
      0x9286: { bytes: Buffer.from('ASCII\0\0\0a user comment') },
    },
    0x8825: {
      1: 'N',
      2: { rationals: [54, 7, 24.4416] },
      3: 'W',
      4: { rationals: [10, 30, 0] },
      5: { bytes: Buffer.from([1]) },
      6: { rationals: [12.5] },
      7: { rationals: [10, 12, 13] },
      29: '2019:03:02',
    },
  },
);

const EXIF_METADATA = {
  'dc:description': ['seen from the quay'],
  'tiff:Make': ['Boxmaker'],
  'tiff:Model': ['Box 2'],
  'tiff:Software': ['Darkroom 1'],
  'tiff:Orientation': ['6'],
  'tiff:XResolution': ['72.0'],
  'tiff:YResolution': ['72.0'],
  'tiff:ResolutionUnit': ['Inch'],
  'exif:ExposureTime': ['0.005'],
  'exif:FNumber': ['5.6'],
  'exif:FocalLength': ['50.0'],
  'exif:IsoSpeedRatings': ['400'],
  'exif:Flash': ['true'],
  'exif:DateTimeOriginal': ['2019-03-02T11:12:13'],
  'dcterms:created': ['2019-03-02T11:12:13'],
  'dcterms:modified': ['2020-03-02T11:12:13'],
  'dc:creator': ['Harbour office'],
  'dc:rights': ['Town of Portholm'],
  'dc:subject': ['lamp', 'bay'],
  'meta:keyword': ['lamp,bay'],
  'xmp:Rating': ['4'],
  'w:Comments': ['a user comment'],
  'geo:lat': ['54.123456'],
  'geo:long': ['-10.5'],
  'geo:alt': ['-12.5'],
  'geo:timestamp': ['2019-03-02T10:12:13Z'],
};

const XMP = Buffer.from(`<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:d="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
    xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
    photoshop:City="Portholm" xmp:Rating="5">
  <d:title><rdf:Alt><rdf:li xml:lang="x-default">The làmp</rdf:li><rdf:li xml:lang="de">Die Lampe</rdf:li></rdf:Alt></d:title>
  <d:creator><rdf:Seq><rdf:li>Harbour office</rdf:li><rdf:li>Town council</rdf:li></rdf:Seq></d:creator>
  <d:subject><rdf:Bag><rdf:li>light &amp; house</rdf:li><rdf:li>bay</rdf:li></rdf:Bag></d:subject>
  <xmp:CreatorTool>Darkroom 2</xmp:CreatorTool>
  <xmpMM:DerivedFrom rdf:parseType="Resource"><xmpMM:DocumentID>left out</xmpMM:DocumentID></xmpMM:DerivedFrom>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`);

const XMP_METADATA = {
  'dc:title': ['The làmp'],
  'dc:creator': ['Harbour office, Town council'],
  'dc:subject': ['light & house', 'bay'],
  'meta:keyword': ['light & house,bay'],
  'xmp:Rating': ['5'],
  'xmp:CreatorTool': ['Darkroom 2'],
  'photoshop:City': ['Portholm'],
};

function dataset(number: number, text: string): Buffer {
  return Buffer.concat([Buffer.from([0x1c, 2, number]), be(2, Buffer.byteLength(text)), Buffer.from(text)]);
}

const IPTC = Buffer.concat([
  dataset(105, 'The light'),
  dataset(25, 'keeper'),
  dataset(25, 'bay'),
  dataset(80, 'Press office'),
  dataset(120, 'Two\rlines'),
  dataset(90, 'Portholm'),
]);

function resource(id: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from('8BIM'), be(2, id, 0), be(4, data.length), data, Buffer.alloc(data.length % 2)]);
}

function segment(marker: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xff, marker]), be(2, data.length + 2), data]);
}

function jpeg(...segments: Buffer[]): Buffer {
  const frame = segment(0xc0, Buffer.concat([Buffer.from([8]), be(2, 48, 64), Buffer.from([1, 1, 0x11, 0])]));
  const scan = Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.from([0x12, 0xff, 0xd9])]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, frame, scan]);
}

const EXIF_SEGMENT = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), CAMERA_TAGS]));
const XMP_SEGMENT = segment(0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), XMP]));
const IPTC_SEGMENT = segment(0xed, Buffer.concat([Buffer.from('Photoshop 3.0\0'), resource(0x0404, IPTC)]));
const JPEG_SIZE = {
  'tiff:ImageWidth': ['64'],
  'tiff:ImageLength': ['48'],
  'tiff:BitsPerSample': ['8'],
  'Image Width': ['64 pixels'],
  'Image Height': ['48 pixels'],
};

describe('JPEG', () => {
  test('size, and EXIF under the names of Tika', async () => {
    const { metadata, text } = await extract(jpeg(EXIF_SEGMENT));
    expect(metadata).toEqual({ ...JPEG_SIZE, ...EXIF_METADATA });
    expect(text).toBe('');
  });

  test('EXIF in the other byte order', async () => {
    const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff({ 0x0112: [3], 0x010f: 'Boxmaker' }, {}, false)]);
    const { metadata } = await extract(jpeg(segment(0xe1, exif)));
    expect(metadata).toMatchObject({ 'tiff:Orientation': ['3'], 'tiff:Make': ['Boxmaker'] });
  });

  test('XMP, whatever prefixes it uses; structures are left out', async () => {
    expect((await extract(jpeg(XMP_SEGMENT))).metadata).toEqual({ ...JPEG_SIZE, ...XMP_METADATA });
  });

  test('IPTC', async () => {
    expect((await extract(jpeg(IPTC_SEGMENT))).metadata).toEqual({
      ...JPEG_SIZE,
      'dc:title': ['The light'],
      'dc:creator': ['Press office'],
      'dc:description': ['Two\nlines'],
      'dc:subject': ['keeper', 'bay'],
      'meta:keyword': ['keeper,bay'],
      City: ['Portholm'],
    });
  });

  test('XMP is believed before IPTC, IPTC before EXIF; keywords come together, each once', async () => {
    const { metadata } = await extract(jpeg(EXIF_SEGMENT, IPTC_SEGMENT, XMP_SEGMENT));
    expect(metadata).toMatchObject({
      'dc:title': ['The làmp'],
      'dc:creator': ['Harbour office, Town council'],
      'dc:description': ['Two\nlines'],
      'dc:subject': ['keeper', 'bay', 'light & house', 'lamp'],
    });
  });

  test('comment, and stray bytes between segments', async () => {
    const { metadata } = await extract(jpeg(Buffer.from([0, 0xff]), segment(0xfe, Buffer.from('lit at nine'))));
    expect(metadata['w:Comments']).toEqual(['lit at nine']);
  });

  test('without a time zone a camera time stays without one; an unset clock is no time', async () => {
    const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff({ 0x0132: '0000:00:00 00:00:00' })]);
    expect((await extract(jpeg(segment(0xe1, exif)))).metadata).not.toHaveProperty('dcterms:modified');
  });
});

function chunk(type: string, data: Buffer): Buffer {
  return Buffer.concat([be(4, data.length), Buffer.from(type), data, be(4, 0)]);
}

function png(...chunks: Buffer[]): Buffer {
  const header = Buffer.concat([be(4, 64, 48), Buffer.from([8, 6, 0, 0, 0])]);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), ...chunks, chunk('IEND', Buffer.alloc(0))]);
}

describe('PNG', () => {
  const texts = [
    chunk('tEXt', Buffer.from('Title\0The l\xe0mp', 'latin1')),
    chunk('zTXt', Buffer.concat([Buffer.from('Description\0\0'), deflateSync(Buffer.from('a long text'))])),
    chunk('iTXt', Buffer.from('Author\0\0\0en\0Urheber\0Jürgen')),
    chunk('iTXt', Buffer.concat([Buffer.from('Comment\0\x01\0\0\0'), deflateSync(Buffer.from('lit ät nine'))])),
    chunk('tEXt', Buffer.from('Creation Time\x002019-03-02 11:12:13')),
    chunk('tEXt', Buffer.from('Lens\0Fresnel')),
  ];

  test('size, and texts in all three forms', async () => {
    const { metadata, bytesCounted } = await extract(png(...texts), 'image/png');
    expect(metadata).toEqual({
      'tiff:ImageWidth': ['64'],
      'tiff:ImageLength': ['48'],
      'tiff:BitsPerSample': ['8 8 8 8'],
      'imagereader:NumImages': ['1'],
      'dc:title': ['The làmp'],
      'dc:description': ['a long text'],
      'dc:creator': ['Jürgen'],
      'w:Comments': ['lit ät nine'],
      'dcterms:created': ['2019-03-02T11:12:13'],
      'Text TextEntry': ['keyword=Lens, value=Fresnel'],
    });
    expect(bytesCounted).toBe('a long text'.length + Buffer.byteLength('lit ät nine'));
  });

  test('EXIF and XMP', async () => {
    const xmp = Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), XMP]);
    const { metadata } = await extract(png(chunk('eXIf', CAMERA_TAGS), chunk('iTXt', xmp)), 'image/png');
    expect(metadata).toMatchObject({ 'tiff:Make': ['Boxmaker'], 'dc:title': ['The làmp'] });
  });

  test('a text that unpacks without end is dropped with a warning', async () => {
    const bomb = Buffer.concat([Buffer.from('Title\0\0'), deflateSync(Buffer.alloc(64 * 1024 * 1024))]);
    const result = await extract(png(chunk('zTXt', bomb), ...texts.slice(1)), 'image/png');
    expect(result.metadata).not.toHaveProperty('dc:title');
    expect(result.metadata['dc:description']).toEqual(['a long text']);
    expect(result.warnings).toHaveLength(1);
  });

  test('cut off, gives what stands before, and says so', async () => {
    const bytes = png(...texts);
    const result = await extract(bytes.subarray(0, bytes.length - 60), 'image/png');
    expect(result.metadata['dc:title']).toEqual(['The làmp']);
    expect(result.warnings).toHaveLength(1);
  });
});

const GIF = Buffer.concat([
  Buffer.from('GIF89a'),
  le(2, 64, 48),
  Buffer.from([0x80, 0, 0, 0, 0, 0, 1, 1, 1]),
  Buffer.from([0x21, 0xfe, 4]),
  Buffer.from('lit '),
  Buffer.from([4]),
  Buffer.from('nine'),
  Buffer.from([0]),
  Buffer.from([0x21, 0xff, 11]),
  Buffer.from('XMP DataXMP'),
  XMP,
  Buffer.from([1, ...Array.from({ length: 256 }, (_, i) => 255 - i), 0]),
  ...[1, 2].map(() => Buffer.from([0x2c, 0, 0, 0, 0, 64, 0, 48, 0, 0, 2, 2, 0x44, 1, 0])),
  Buffer.from([0x3b]),
]);

test('GIF: size, number of frames, comment, XMP', async () => {
  expect((await extract(GIF, 'image/gif')).metadata).toEqual({
    'tiff:ImageWidth': ['64'],
    'tiff:ImageLength': ['48'],
    'imagereader:NumImages': ['2'],
    'w:Comments': ['lit nine'],
    ...XMP_METADATA,
  });
});

function riff(...chunks: [string, Buffer][]): Buffer {
  const body = chunks.flatMap(([type, data]) => [
    Buffer.from(type),
    le(4, data.length),
    data,
    Buffer.alloc(data.length % 2),
  ]);
  return Buffer.concat([Buffer.from('RIFF'), le(4, 4 + Buffer.concat(body).length), Buffer.from('WEBP'), ...body]);
}

const VP8 = Buffer.concat([Buffer.from([0, 0, 0, 0x9d, 0x01, 0x2a]), le(2, 64, 48)]);
const VP8L = Buffer.concat([Buffer.from([0x2f]), le(4, 63 | (47 << 14))]);
const VP8X = Buffer.concat([le(4, 0), Buffer.from([63, 0, 0, 47, 0, 0])]);

test.each([
  ['lossy', riff(['VP8 ', VP8])],
  ['lossless', riff(['VP8L', VP8L])],
  ['extended', riff(['VP8X', VP8X], ['VP8 ', Buffer.alloc(10)])],
])('WebP, %s: size', async (_, bytes) => {
  expect((await extract(bytes, 'image/webp')).metadata).toEqual({
    'tiff:ImageWidth': ['64'],
    'tiff:ImageLength': ['48'],
  });
});

test.each([
  ['as it should be', CAMERA_TAGS],
  ['with the prefix of JPEG', Buffer.concat([Buffer.from('Exif\0\0'), CAMERA_TAGS])],
])('WebP: EXIF %s, and XMP', async (_, exif) => {
  const { metadata } = await extract(riff(['VP8X', VP8X], ['EXIF', exif], ['XMP ', XMP]), 'image/webp');
  expect(metadata).toMatchObject({ 'tiff:Make': ['Boxmaker'], 'dc:title': ['The làmp'] });
});

describe('TIFF', () => {
  test('size, depth, channels, pages, XMP and IPTC', async () => {
    const bytes = tiff({
      256: [64],
      257: [48],
      258: [8, 8, 8],
      277: [3],
      0x010f: 'Boxmaker',
      700: { bytes: XMP },
      33723: { bytes: IPTC },
    });
    expect((await extract(bytes, 'image/tiff')).metadata).toMatchObject({
      'tiff:ImageWidth': ['64'],
      'tiff:ImageLength': ['48'],
      'tiff:BitsPerSample': ['8'],
      'tiff:SamplesPerPixel': ['3'],
      'imagereader:NumImages': ['1'],
      'tiff:Make': ['Boxmaker'],
      'dc:title': ['The làmp'],
      'dc:description': ['Two\nlines'],
    });
  });

  test('directories in a circle are counted once', async () => {
    const bytes = tiff({ 256: [64], 257: [48] });
    bytes.writeUInt32LE(8, 8 + 2 + 2 * 12);
    expect((await extract(bytes, 'image/tiff')).metadata['imagereader:NumImages']).toEqual(['1']);
  });

  test('a tag with billions of values costs nothing', async () => {
    const bytes = tiff({ 256: [64], 0x011a: { rationals: [72] } });
    bytes.writeUInt32LE(0xffffffff, 8 + 2 + 12 + 4);
    expect((await extract(bytes, 'image/tiff')).metadata).not.toHaveProperty('tiff:XResolution');
  });
});

function box(type: string, ...content: Buffer[]): Buffer {
  const data = Buffer.concat(content);
  return Buffer.concat([be(4, data.length + 8), Buffer.from(type, 'latin1'), data]);
}

/** A HEIC file whose items stand behind the boxes. */
function heic(): Buffer {
  const items = [Buffer.concat([be(4, 6), Buffer.from('Exif\0\0'), CAMERA_TAGS]), XMP];
  const build = (start: number): Buffer => {
    const info = (id: number, type: string, more = ''): Buffer =>
      box('infe', be(4, 0x02000000), be(2, id, 0), Buffer.from(`${type}\0${more}`));
    const location = (id: number, offset: number, length: number): Buffer =>
      Buffer.concat([be(2, id, 0, 1), be(4, offset, length)]);
    const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = items;
    const meta = box(
      'meta',
      be(4, 0),
      box('iinf', be(4, 0), be(2, 2), info(1, 'Exif'), info(2, 'mime', 'application/rdf+xml\0')),
      box(
        'iloc',
        be(4, 0),
        be(2, 0x4400, 2),
        location(1, start, first.length),
        location(2, start + first.length, second.length),
      ),
      box(
        'iprp',
        box(
          'ipco',
          box('ispe', be(4, 0, 16, 12)),
          box('ispe', be(4, 0, 64, 48)),
          box('pixi', be(4, 0), Buffer.from([3, 8, 8, 8])),
        ),
      ),
    );
    return Buffer.concat([box('ftyp', Buffer.from('heic\0\0\0\0mif1')), meta, Buffer.from('\0\0\0\0mdat')]);
  };
  return Buffer.concat([build(build(0).length), ...items]);
}

test('HEIC: the larger size, depth, EXIF and XMP from their items', async () => {
  expect((await extract(heic(), 'image/heic')).metadata).toMatchObject({
    'tiff:ImageWidth': ['64'],
    'tiff:ImageLength': ['48'],
    'tiff:BitsPerSample': ['8 8 8'],
    'tiff:Make': ['Boxmaker'],
    'dc:title': ['The làmp'],
  });
});

test('JPEG 2000: size and XMP', async () => {
  const uuid = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');
  const bytes = Buffer.concat([
    box('jP  ', Buffer.from('0d0a870a', 'hex')),
    box('jp2h', box('ihdr', be(4, 48, 64), be(2, 3))),
    box('uuid', uuid, XMP),
  ]);
  const { metadata } = await extract(bytes, 'image/jp2');
  expect(metadata).toMatchObject({ 'tiff:ImageWidth': ['64'], 'tiff:ImageLength': ['48'], 'dc:title': ['The làmp'] });
});

const PSD = Buffer.concat([
  Buffer.from('8BPS\0\x01\0\0\0\0\0\0'),
  be(2, 3),
  be(4, 48, 64),
  be(2, 8, 3),
  be(4, 0),
  be(4, resource(0x0404, IPTC).length + resource(0x0424, XMP).length),
  resource(0x0404, IPTC),
  resource(0x0424, XMP),
]);

test('Photoshop: size, IPTC, XMP', async () => {
  expect((await extract(PSD, 'image/vnd.adobe.photoshop')).metadata).toMatchObject({
    'tiff:ImageWidth': ['64'],
    'tiff:ImageLength': ['48'],
    'tiff:SamplesPerPixel': ['3'],
    'dc:title': ['The làmp'],
    'dc:description': ['Two\nlines'],
  });
});

const bitmapHead = Buffer.concat([Buffer.from('BM'), Buffer.alloc(12)]);

test.each([
  ['of 24 bits, top down', Buffer.concat([bitmapHead, le(4, 40, 64, 0xffffffd0), le(2, 1, 24)]), '8 8 8'],
  ['with a palette', Buffer.concat([bitmapHead, le(4, 40, 64, 48), le(2, 1, 8)]), '8'],
  ['of the first version', Buffer.concat([bitmapHead, le(4, 12), le(2, 64, 48, 1, 24)]), '8 8 8'],
])('bitmap %s', async (_, bytes, bits) => {
  expect((await extract(bytes, 'image/bmp')).metadata).toMatchObject({
    'tiff:ImageWidth': ['64'],
    'tiff:ImageLength': ['48'],
    'tiff:BitsPerSample': [bits],
  });
});

test('icon: the size of the largest picture', async () => {
  const entry = (size: number): Buffer => Buffer.concat([Buffer.from([size, size]), Buffer.alloc(14)]);
  const bytes = Buffer.concat([le(2, 0, 1, 3), entry(16), entry(0), entry(48)]);
  expect((await extract(bytes, 'image/vnd.microsoft.icon')).metadata).toMatchObject({
    'tiff:ImageWidth': ['256'],
    'imagereader:NumImages': ['3'],
  });
});

test.each(['', 'no picture', '\xff'])('bytes that begin like no picture are corrupt: %j', async (text) => {
  await expect(extract(Buffer.from(text, 'latin1'))).rejects.toMatchObject({ code: 'corrupt' });
});

test('an offset that is no whole number leads to no directory', async () => {
  const bytes = tiff({ 0x010f: 'Boxmaker', 0x8769: { rationals: [10.5] } });
  const { metadata, warnings } = await extract(bytes, 'image/tiff');
  expect(metadata['tiff:Make']).toEqual(['Boxmaker']);
  expect(warnings).toEqual([]);
});

test.each([
  ['JPEG', jpeg(EXIF_SEGMENT, IPTC_SEGMENT, XMP_SEGMENT)],
  ['PNG', png(chunk('eXIf', CAMERA_TAGS), chunk('zTXt', Buffer.concat([Buffer.from('Title\0\0'), deflateSync(XMP)])))],
  ['GIF', GIF],
  ['WebP', riff(['VP8X', VP8X], ['EXIF', CAMERA_TAGS], ['XMP ', XMP])],
  ['TIFF', CAMERA_TAGS],
  ['HEIC', heic()],
  ['Photoshop', PSD],
])('a damaged %s never fails in an unforeseen way', async (_, bytes) => {
  await expectNoSurprises(imageExtractor, 'image/jpeg', bytes);
});
