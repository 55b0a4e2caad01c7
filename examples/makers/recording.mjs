/**
 * MP3: an ID3v2.3 tag and silent frames of MPEG 1 layer III, 32 kbit/s, 44.1 kHz, one channel. A frame of 104 bytes whose
 * side information is all zero is 26 ms of silence.
 */
const FRAME = Buffer.alloc(104);
FRAME.set([0xff, 0xfb, 0x10, 0xc0]);

export function makeMp3({ frames, tags, comment, lyrics }) {
  const texts = Object.entries(tags).map(([id, text]) => tagFrame(id, utf16(text)));
  const note = tagFrame('COMM', languageText('', comment));
  const words = tagFrame('USLT', languageText('', lyrics));
  const body = Buffer.concat([...texts, note, words]);
  const size = Buffer.from([21, 14, 7, 0].map((shift) => (body.length >> shift) & 0x7f));
  const head = Buffer.concat([Buffer.from('ID3'), Buffer.from([3, 0, 0]), size]);
  return Buffer.concat([head, body, ...Array.from({ length: frames }, () => FRAME)]);
}

function tagFrame(id, content) {
  const head = Buffer.alloc(10);
  head.write(id, 0, 'latin1');
  head.writeUInt32BE(content.length, 4);
  return Buffer.concat([head, content]);
}

function utf16(text) {
  return Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
}

/** Encoding, language, description, text. */
function languageText(description, text) {
  const mark = Buffer.from([0xff, 0xfe]);
  return Buffer.concat([
    Buffer.from([1]),
    Buffer.from('eng'),
    mark,
    Buffer.from(`${description}\0`, 'utf16le'),
    mark,
    Buffer.from(text, 'utf16le'),
  ]);
}
