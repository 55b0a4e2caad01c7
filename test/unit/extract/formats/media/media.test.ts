import { describe, expect, test } from '@jest/globals';
import * as mediaExtractor from '../../../../../src/extract/formats/media/media-extractor.js';
import { runFormat, type FormatResult } from '../../../../support/format-harness.js';
import { expectNoSurprises } from '../../mutations.js';

function extract(bytes: Buffer, mediaType: string): Promise<FormatResult> {
  return runFormat(mediaExtractor, { name: 'recording', mediaType, bytes });
}

function be(size: 1 | 2 | 3 | 4, ...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * size);
  values.forEach((value, i) => bytes.writeUIntBE(value, i * size, size));
  return bytes;
}

function le(size: 1 | 2 | 4, ...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * size);
  values.forEach((value, i) => bytes.writeUIntLE(value, i * size, size));
  return bytes;
}

/** Seven bits a byte. */
function syncSafe(value: number): Buffer {
  return Buffer.from([value >> 21, (value >> 14) & 0x7f, (value >> 7) & 0x7f, value & 0x7f]);
}

function id3(version: 3 | 4, frames: Record<string, Buffer>): Buffer {
  const body = Object.entries(frames).map(([id, data]) =>
    Buffer.concat([
      Buffer.from(id.slice(0, 4)),
      version === 4 ? syncSafe(data.length) : be(4, data.length),
      be(2, 0),
      data,
    ]),
  );
  const length = Buffer.concat(body).length;
  return Buffer.concat([
    Buffer.from(['I', 'D', '3'].join('')),
    Buffer.from([version, 0, 0]),
    syncSafe(length),
    ...body,
  ]);
}

function latin(text: string): Buffer {
  return Buffer.from(`\0${text}`, 'latin1');
}

function utf16(text: string): Buffer {
  return Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
}

/** Silent frames of MPEG 1 layer III, 128 kbit/s at 44.1 kHz, two channels. */
function frames(count: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x00]);
  return Buffer.concat(Array.from({ length: count }, () => frame));
}

const ID3_FRAMES = {
  TIT2: utf16('The làmp'),
  TPE1: latin('Harbour choir'),
  TPE2: latin('Town of Portholm'),
  TALB: latin('Songs of the quay'),
  TYER: latin('2019'),
  TRCK: latin('03/12'),
  TPOS: latin('1/2'),
  TCON: latin('(17)'),
  TCOM: latin('The keeper'),
  COMM: latin('enga note\0sung at nine'),
};

describe('MP3', () => {
  const recording = Buffer.concat([id3(3, ID3_FRAMES), frames(40)]);

  test('tags as metadata under the names of Tika', async () => {
    const { metadata } = await extract(recording, 'audio/mpeg');
    expect(metadata).toEqual({
      'dc:title': ['The làmp'],
      'dc:creator': ['Harbour choir'],
      'xmpDM:artist': ['Harbour choir'],
      'xmpDM:albumArtist': ['Town of Portholm'],
      'xmpDM:composer': ['The keeper'],
      'xmpDM:album': ['Songs of the quay'],
      'xmpDM:releaseDate': ['2019'],
      'xmpDM:genre': ['Rock'],
      'xmpDM:trackNumber': ['03/12'],
      'xmpDM:discNumber': ['1/2'],
      'xmpDM:logComment': ['eng - a note\nsung at nine'],
      'xmpDM:audioCompressor': ['MP3'],
      'xmpDM:audioSampleRate': ['44100'],
      'xmpDM:audioChannelType': ['Stereo'],
      'xmpDM:duration': ['1.0448975563049316'],
      samplerate: ['44100'],
      channels: ['2'],
      version: ['MPEG 3 Layer III Version 1'],
    });
  });

  test('tags as lines', async () => {
    expect((await extract(recording, 'audio/mpeg')).text.split('\n')).toEqual([
      'The làmp',
      'Harbour choir',
      'Songs of the quay, track 03/12, disc 1/2',
      '2019',
      'Rock',
      'eng - a note',
      'sung at nine',
      'The keeper',
      '1.0448976',
      '',
    ]);
  });

  test('newer tags, and a date', async () => {
    const bytes = Buffer.concat([id3(4, { TIT2: Buffer.from('\x03Lämpchen'), TDRC: latin('2019-05-06') }), frames(10)]);
    const { metadata } = await extract(bytes, 'audio/mpeg');
    expect(metadata).toMatchObject({ 'dc:title': ['Lämpchen'], 'xmpDM:releaseDate': ['2019-05-06'] });
  });

  test('the old tag at the end, when there is no other', async () => {
    const field = (text: string, length: number): Buffer => Buffer.from(text.padEnd(length, '\0'), 'latin1');
    const tag = [
      field('TAG', 3),
      field('Old song', 30),
      field('Old choir', 30),
      field('Old album', 30),
      field('1999', 4),
    ];
    const bytes = Buffer.concat([frames(10), ...tag, field('old note', 28), Buffer.from([0, 7, 8])]);
    const { metadata } = await extract(bytes, 'audio/mpeg');
    expect(metadata).toMatchObject({
      'dc:title': ['Old song'],
      'xmpDM:releaseDate': ['1999'],
      'xmpDM:logComment': ['old note'],
      'xmpDM:trackNumber': ['7'],
      'xmpDM:genre': ['Jazz'],
    });
  });

  test('without any tag, the duration alone', async () => {
    expect((await extract(frames(2), 'audio/mpeg')).text).toBe('0.052244898\n');
  });

  test('frames of MPEG 2 have half the samples', async () => {
    const frame = Buffer.alloc(208);
    frame.set([0xff, 0xf3, 0x80, 0xc0]);
    const { metadata } = await extract(Buffer.concat([frame, frame, frame, frame]), 'audio/mpeg');
    expect(metadata).toMatchObject({ 'xmpDM:audioSampleRate': ['22050'], 'xmpDM:audioChannelType': ['Mono'] });
    expect(Number(metadata['xmpDM:duration']?.[0])).toBeCloseTo((4 * 576) / 22050, 5);
  });
});

function riff(type: string, ...chunks: [string, Buffer][]): Buffer {
  const body = chunks.flatMap(([id, data]) => [
    Buffer.from(id),
    le(4, data.length),
    data,
    Buffer.alloc(data.length % 2),
  ]);
  return Buffer.concat([Buffer.from('RIFF'), le(4, 4 + Buffer.concat(body).length), Buffer.from(type), ...body]);
}

const WAV = riff(
  'WAVE',
  ['fmt ', Buffer.concat([le(2, 1, 1), le(4, 8000, 16000), le(2, 2, 16)])],
  [
    'LIST',
    Buffer.concat([
      Buffer.from('INFOINAM'),
      le(4, 8),
      Buffer.from('The lamp'),
      Buffer.from('ICMT'),
      le(4, 4),
      Buffer.from('note'),
    ]),
  ],
  ['data', Buffer.alloc(16000)],
);

test('WAV: sound and INFO tags', async () => {
  const { metadata, text } = await extract(WAV, 'audio/vnd.wave');
  expect(metadata).toMatchObject({
    'dc:title': ['The lamp'],
    'xmpDM:logComment': ['note'],
    'xmpDM:audioSampleRate': ['8000'],
    'xmpDM:audioSampleType': ['16Int'],
    'xmpDM:audioChannelType': ['Mono'],
    'xmpDM:duration': ['1.0'],
  });
  expect(text).toBe('The lamp\nnote\n');
});

function vorbisComments(...entries: string[]): Buffer {
  const strings = ['a tool', ...entries].map((text) =>
    Buffer.concat([le(4, Buffer.byteLength(text)), Buffer.from(text)]),
  );
  const [vendor = Buffer.alloc(0), ...comments] = strings;
  return Buffer.concat([vendor, le(4, comments.length), ...comments]);
}

const COMMENTS = vorbisComments(
  'TITLE=The làmp',
  'ARTIST=Harbour choir',
  'ALBUM=Songs',
  'TRACKNUMBER=3',
  'DATE=2019-05-06',
  'COMMENT=one',
  'COMMENT=two',
);

const FLAC = Buffer.concat([
  Buffer.from('fLaC'),
  be(1, 0),
  be(3, 34),
  be(2, 4096, 4096),
  be(3, 0, 0),
  // 20 bits of rate (8000), 3 of channels (1), 5 of depth (16), 36 of samples (12000)
  Buffer.from('01f400f000002ee0', 'hex'),
  Buffer.alloc(16),
  be(1, 0x84),
  be(3, COMMENTS.length),
  COMMENTS,
]);

test('FLAC: sound and comments', async () => {
  const { metadata, text } = await extract(FLAC, 'audio/x-flac');
  expect(metadata).toMatchObject({
    'dc:title': ['The làmp'],
    'xmpDM:audioCompressor': ['FLAC'],
    'xmpDM:audioSampleRate': ['8000'],
    'xmpDM:duration': ['1.5'],
    'xmpDM:logComment': ['one', 'two'],
  });
  expect(text).toBe('The làmp\nHarbour choir\nSongs, track 3\n2019-05-06\none\ntwo\n');
});

function oggPage(flags: number, position: number, sequence: number, packet: Buffer): Buffer {
  const lacing = [...Array.from({ length: Math.floor(packet.length / 255) }, () => 255), packet.length % 255];
  const head = Buffer.concat([
    Buffer.from('OggS'),
    Buffer.from([0, flags]),
    le(4, position, 0, 7, sequence, 0),
    Buffer.from([lacing.length, ...lacing]),
  ]);
  return Buffer.concat([head, packet]);
}

const OGG = Buffer.concat([
  oggPage(
    2,
    0,
    0,
    Buffer.concat([
      Buffer.from('\x01vorbis'),
      le(4, 0),
      Buffer.from([2]),
      le(4, 44100, 0, 80000, 0),
      Buffer.from([0xb8, 1]),
    ]),
  ),
  oggPage(0, 0, 1, Buffer.concat([Buffer.from('\x03vorbis'), COMMENTS, Buffer.from([1])])),
  oggPage(4, 3_704_400, 2, Buffer.from([0])),
]);

test('Ogg Vorbis: comments, and the duration as a clock shows it', async () => {
  const result = await extract(OGG, 'audio/ogg');
  expect(result.contentType).toBe('audio/vorbis');
  expect(result.metadata).toMatchObject({ 'xmpDM:audioCompressor': ['Vorbis'], 'xmpDM:duration': ['84.0'] });
  expect(result.text).toBe('The làmp\nHarbour choir\nSongs, track 3\n2019-05-06\none\ntwo\n00:01:24.00\n');
});

function box(type: string, ...content: Buffer[]): Buffer {
  const data = Buffer.concat(content);
  return Buffer.concat([be(4, data.length + 8), Buffer.from(type, 'latin1'), data]);
}

function itemTag(type: string, text: string): Buffer {
  return box(type, box('data', be(4, 1, 0), Buffer.from(text)));
}

const SOUND = box('mp4a', Buffer.alloc(16), be(2, 2, 16, 0, 0), be(4, 44100 * 65536));
const COMPRESSOR = Buffer.concat([Buffer.from([4]), Buffer.from('tool'.padEnd(31, '\0'))]);
const PICTURE = box('avc1', Buffer.alloc(24), be(2, 64, 48), Buffer.alloc(14), COMPRESSOR, Buffer.alloc(4));

function mp4(brand: string, descriptions: readonly Buffer[], ...more: Buffer[]): Buffer {
  const times = be(4, 0, 2_082_844_800 + 1_500_000_000, 0, 1000, 1500);
  const header = box('mvhd', times, Buffer.alloc(80));
  const tracks = descriptions.map((description, i) =>
    box(
      'trak',
      box('tkhd', be(4, 0, 0, 0, i + 1, 0, 1500), Buffer.alloc(60)),
      box(
        'mdia',
        box('mdhd', be(4, 0, 0, 0, 1000, 1500, 0)),
        box('minf', box('stbl', box('stsd', be(4, 0, 1), description))),
      ),
    ),
  );
  const tags = box(
    'ilst',
    itemTag('\xa9nam', 'The làmp'),
    itemTag('\xa9ART', 'Harbour choir'),
    itemTag('desc', 'about a lamp'),
  );
  const user = box(
    'udta',
    box('meta', be(4, 0), box('hdlr', Buffer.from('\0\0\0\0\0\0\0\0mdirappl\0\0\0\0\0\0\0\0\0')), tags),
  );
  return Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\0\0\0\0isom`)),
    box('moov', header, ...tracks, user, ...more),
  ]);
}

describe('MP4', () => {
  test('tags as lines and metadata; size, times and coding from the structure', async () => {
    const { metadata, text, contentType } = await extract(mp4('mp42', [SOUND, PICTURE]), 'application/mp4');
    expect(contentType).toBe('video/mp4');
    expect(text).toBe('The làmp\nHarbour choir\nabout a lamp\n');
    expect(metadata).toMatchObject({
      'dc:title': ['The làmp'],
      'dc:creator': ['Harbour choir'],
      'dc:description': ['about a lamp'],
      'dcterms:created': ['2017-07-14T02:40:00Z'],
      'tiff:ImageWidth': ['64'],
      'tiff:ImageLength': ['48'],
      'xmpDM:videoCompressor': ['tool'],
      'xmpDM:audioSampleRate': ['44100'],
      'xmpDM:audioChannelType': ['Stereo'],
      'xmpDM:duration': ['1.5'],
    });
    expect(metadata).not.toHaveProperty('dcterms:modified');
  });

  test.each([
    ['M4A ', [SOUND], 'audio/mp4'],
    ['isom', [SOUND], 'audio/mp4'],
    ['M4V ', [PICTURE], 'video/x-m4v'],
    ['3gp5', [PICTURE], 'video/3gpp'],
    ['qt  ', [PICTURE], undefined],
  ])('brand %s', async (brand, descriptions, expected) => {
    expect((await extract(mp4(brand, descriptions), 'video/quicktime')).contentType).toBe(expected);
  });

  test('named values of QuickTime, and the place of the recording', async () => {
    const key = (name: string): Buffer => box('mdta', Buffer.from(name));
    const keys = box('keys', be(4, 0, 2), key('com.apple.quicktime.make'), key('com.apple.quicktime.location.ISO6709'));
    const values = box('ilst', itemTag('\0\0\0\x01', 'Boxmaker'), itemTag('\0\0\0\x02', '+54.1234-010.5000+012.300/'));
    const { metadata } = await extract(mp4('qt  ', [PICTURE], box('meta', keys, values)), 'video/quicktime');
    expect(metadata).toMatchObject({
      'com.apple.quicktime.make': ['Boxmaker'],
      'geo:lat': ['54.1234'],
      'geo:long': ['-10.5'],
      'geo:alt': ['12.3'],
    });
  });

  test('the place in user data', async () => {
    const place = Buffer.from('+54.1234-010.5000/');
    const user = box('udta', box('\xa9xyz', be(2, place.length, 0x15c7), place));
    const { metadata } = await extract(mp4('mp42', [PICTURE], user), 'video/mp4');
    expect(metadata).toMatchObject({ 'geo:lat': ['54.1234'], 'geo:long': ['-10.5'] });
  });
});

test('a recording that ends early gives what stands before, and says so', async () => {
  const comments = OGG.indexOf('\x03vorbis') + 7 + COMMENTS.length + 1;
  const result = await extract(OGG.subarray(0, comments), 'audio/vorbis');
  expect(result.text).toContain('The làmp\n');
});

test.each([
  ['audio/mpeg', 'nothing of the kind'],
  ['video/mp4', 'nothing of the kind'],
  ['audio/x-flac', 'nothing of the kind'],
  ['audio/vorbis', ''],
])('bytes that are no %s are corrupt', async (mediaType, text) => {
  await expect(extract(Buffer.from(text), mediaType)).rejects.toMatchObject({ code: 'corrupt' });
});

test.each([
  ['audio/mpeg', Buffer.concat([id3(3, ID3_FRAMES), frames(4)])],
  ['audio/vnd.wave', WAV.subarray(0, 400)],
  ['audio/x-flac', FLAC],
  ['audio/vorbis', OGG],
  ['video/mp4', mp4('mp42', [SOUND, PICTURE])],
])('a damaged %s never fails in an unforeseen way', async (mediaType, bytes) => {
  await expectNoSurprises(mediaExtractor, mediaType, bytes, 150);
});
