import iconv from 'iconv-lite';
import { describe, expect, test } from '@jest/globals';
import { charsetName } from '../../../../../src/extract/containers/charset/charset-names.js';
import { decodePieces } from '../../../../../src/extract/containers/charset/decode.js';
import { detectCharset } from '../../../../../src/extract/containers/charset/detect-charset.js';
import { extractInProcess } from '../../../../support/extract-in-process.js';

async function decodeText(bytes: Uint8Array, charset: string): Promise<string> {
  let text = '';
  for await (const piece of decodePieces(bytes, charset)) text += piece;
  return text;
}

const texts = {
  german:
    'Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geist der Brüderlichkeit begegnen. Größe, Übermut, Äpfel.',
  french:
    'Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité.',
  quotes: 'It’s “quoted” – with a dash… and more of the same, because people’s letters use ‘smart’ quotes.',
  czech:
    'Příliš žluťoučký kůň úpěl ďábelské ódy. Všichni lidé se rodí svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím.',
  polish:
    'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i sumieniem.',
  russian: 'Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью.',
  greek: 'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.',
  turkish: 'Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler.',
  lithuanian: 'Visi žmonės gimsta laisvi ir lygūs savo orumu ir teisėmis. Jiems suteiktas protas ir sąžinė.',
  arabic: 'يولد جميع الناس أحراراً متساوين في الكرامة والحقوق. وقد وهبوا عقلاً وضميراً.',
  hebrew: 'כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון.',
  thai: 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ',
  japanese: '今日は良い天気です。散歩に行きましょう。すべての人間は自由であり、尊厳と権利とについて平等である。',
  chinese: '今天天气很好,我们去散步吧。人人生而自由,在尊严和权利上一律平等。',
  taiwanese: '今天天氣很好,我們去散步吧。人人生而自由,在尊嚴和權利上一律平等。',
  korean: '오늘은 날씨가 좋습니다. 산책하러 갑시다. 모든 인간은 태어날 때부터 자유로우며 평등하다.',
};

describe('text that says nothing about its character set', () => {
  test.each<[keyof typeof texts, string, string]>([
    ['german', 'latin1', 'ISO-8859-1'],
    ['german', 'cp850', 'IBM437'],
    ['german', 'macroman', 'x-MacRoman'],
    ['french', 'latin1', 'ISO-8859-1'],
    ['french', 'cp850', 'IBM437'],
    ['french', 'macroman', 'x-MacRoman'],
    ['quotes', 'win1252', 'ISO-8859-1'],
    ['czech', 'win1250', 'windows-1250'],
    ['czech', 'iso88592', 'ISO-8859-2'],
    ['czech', 'cp852', 'IBM852'],
    ['polish', 'win1250', 'windows-1250'],
    ['polish', 'iso88592', 'ISO-8859-2'],
    ['russian', 'win1251', 'windows-1251'],
    ['russian', 'koi8-r', 'KOI8-R'],
    ['russian', 'cp866', 'IBM866'],
    ['russian', 'iso88595', 'ISO-8859-5'],
    ['russian', 'maccyrillic', 'x-MacCyrillic'],
    ['greek', 'iso88597', 'ISO-8859-7'],
    ['turkish', 'win1254', 'windows-1254'],
    ['lithuanian', 'win1257', 'windows-1257'],
    ['arabic', 'win1256', 'windows-1256'],
    ['hebrew', 'win1255', 'windows-1255'],
    ['thai', 'tis620', 'TIS-620'],
    ['japanese', 'shift_jis', 'Shift_JIS'],
    ['japanese', 'euc-jp', 'EUC-JP'],
    ['chinese', 'gb2312', 'GB18030'],
    ['chinese', 'gb18030', 'GB18030'],
    ['taiwanese', 'big5', 'Big5'],
    ['korean', 'euc-kr', 'EUC-KR'],
    ['french', 'utf8', 'UTF-8'],
    ['german', 'utf16le', 'UTF-16LE'],
    ['german', 'utf-16be', 'UTF-16BE'],
    ['german', 'utf-32le', 'UTF-32LE'],
    ['german', 'utf-32be', 'UTF-32BE'],
  ])('%s in %s is read right', async (language, encoding, name) => {
    const bytes = iconv.encode(texts[language], encoding);
    expect((await detectCharset(bytes)).name).toBe(name);
    expect(await decodeText(bytes, name)).toBe(texts[language]);
  });

  test('Japanese with shift sequences is read right', async () => {
    const bytes = Buffer.from('GyRCOiNGfCRPTkkkJEU3NSQkRyQ5ISM7NkpiJEs5VCQtJF4kNyRnJCYhIxsoQg==', 'base64');
    expect((await detectCharset(bytes)).name).toBe('ISO-2022-JP');
    expect(await decodeText(bytes, 'ISO-2022-JP')).toMatch(/^今日は良い天気です。/);
  });

  test.each(['utf8', 'utf16le', 'utf-16be', 'utf-32le', 'utf-32be'])(
    'a byte order mark decides and is no part of the text (%s)',
    async (encoding) => {
      const bytes = iconv.encode(texts.korean, encoding, { addBOM: true });
      const { name, detector } = await detectCharset(bytes);
      expect(detector).toBe('BOMDetector');
      expect(await decodeText(bytes, name)).toBe(texts.korean);
    },
  );

  test.each([
    ['Käse und Öl', 'latin1'],
    ['Übergröße', 'latin1'],
    ['naïve café', 'latin1'],
    ['résumé of José, Zoë and François', 'latin1'],
    ['año niño señor ¿qué tal?', 'latin1'],
    ['smörgåsbord på svenska är gott', 'latin1'],
    ['it’s “smart”', 'win1252'],
  ])('a few western words (%s) are western', async (text, encoding) => {
    const bytes = iconv.encode(text, encoding);
    expect(await decodeText(bytes, (await detectCharset(bytes)).name)).toBe(text);
  });
});

describe('the name that is reported', () => {
  test.each([
    ['unix lines', 'a\nb\n', 'ISO-8859-1'],
    ['windows lines', 'a\r\nb\r\n', 'windows-1252'],
    ['a euro sign of ISO-8859-15', 'price 5 \xa4 per piece\nand more of it', 'ISO-8859-15'],
  ])('for western text with %s', async (_what, text, name) => {
    expect((await detectCharset(Buffer.from(text, 'latin1'))).name).toBe(name);
  });

  test.each([
    ['utf8', 'UTF-8'],
    ['"UTF-8"', 'UTF-8'],
    ['latin1', 'ISO-8859-1'],
    ['iso8859_1', 'ISO-8859-1'],
    ['ISO-8859-15', 'ISO-8859-15'],
    ['cp1252', 'windows-1252'],
    ['Windows-1251', 'windows-1251'],
    ['x-sjis', 'Shift_JIS'],
    ['ks_c_5601-1987', 'EUC-KR'],
    ['gbk', 'GBK'],
    ['IBM866', 'IBM866'],
    ['koi8-u', 'KOI8-U'],
    ['macintosh', 'x-MacRoman'],
    ['klingon', undefined],
    ['', undefined],
  ])('%s goes by the name of %s', (label, name) => {
    expect(charsetName(label)).toBe(name);
  });
});

describe('what a document says of itself', () => {
  const latin = Buffer.from('Stra\xdfe', 'latin1');

  test('decides where the bytes do not', async () => {
    expect((await detectCharset(latin, 'windows-1250')).name).toBe('windows-1250');
    expect((await detectCharset(Buffer.from('plain'), 'utf-8')).name).toBe('UTF-8');
  });

  test.each(['utf-8', 'utf-16', 'klingon'])('is not believed when the bytes belie it (%s)', async (declared) => {
    expect((await detectCharset(latin, declared)).name).toBe('ISO-8859-1');
  });

  test('does not win over valid UTF-8', async () => {
    expect((await detectCharset(Buffer.from('Straße'), 'iso-8859-1')).name).toBe('UTF-8');
  });
});

describe('UTF-8', () => {
  test('that is cut off inside a character is still UTF-8', async () => {
    const bytes = Buffer.from('Größe über alles: ü');
    expect((await detectCharset(bytes.subarray(0, -1))).name).toBe('UTF-8');
  });

  test('with a single fault in a long text is still UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from('Größe über alles, schön. '.repeat(20)),
      Buffer.from([0xff]),
      Buffer.from(' Ende'),
    ]);
    expect((await detectCharset(bytes)).name).toBe('UTF-8');
  });

  test('is put together again where a piece ends inside a character', async () => {
    const text = `x${'äöü€😀'.repeat(60_000)}`;
    expect(await decodeText(Buffer.from(text), 'UTF-8')).toBe(text);
  });
});

test('a charset that begins to matter late in the file is found', async () => {
  const bytes = Buffer.concat([Buffer.from('plain line\n'.repeat(10_000)), iconv.encode(texts.russian, 'koi8-r')]);
  const { text, contentType } = await extractInProcess('late.txt', bytes);
  expect(contentType).toBe('text/plain; charset=KOI8-R');
  expect(text.trimEnd().endsWith(texts.russian)).toBe(true);
});
