import iconv from 'iconv-lite';

/** Windows code page numbers that iconv-lite knows under another name than `cp<number>`. */
const NAMES: Readonly<Record<number, string>> = {
  0: 'windows-1252',
  1200: 'utf-16le',
  1201: 'utf-16be',
  1361: 'cp949',
  10000: 'macroman',
  10001: 'shift_jis',
  10002: 'big5',
  10003: 'cp949',
  10006: 'macgreek',
  10007: 'maccyrillic',
  10008: 'gbk',
  10029: 'maccenteuro',
  10081: 'macturkish',
  20127: 'ascii',
  20932: 'euc-jp',
  20936: 'gbk',
  50220: 'iso-2022-jp',
  50221: 'iso-2022-jp',
  50222: 'iso-2022-jp',
  51932: 'euc-jp',
  51936: 'gbk',
  51949: 'euc-kr',
  52936: 'gbk',
  54936: 'gb18030',
  65000: 'utf-7',
  65001: 'utf-8',
};

/** Text in a Windows code page, by its number or by a name of iconv-lite. An unknown one reads as windows-1252, which at least keeps ASCII. */
export function decodeCodePage(bytes: Uint8Array, codePage: number | string): string {
  return iconv.decode(bytes, encodingOf(codePage), { stripBOM: true });
}

/** Text in UTF-16 little endian, the usual form of strings in Office files. */
export function decodeUtf16(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf16le');
}

/** Text whose bytes are the code points U+0000 to U+00FF. */
export function decodeLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function encodingOf(codePage: number | string): string {
  if (typeof codePage === 'string') return codePage;
  for (const name of [NAMES[codePage], `cp${codePage}`, isoName(codePage)]) {
    if (name !== undefined && iconv.encodingExists(name)) return name;
  }
  return 'windows-1252';
}

function isoName(codePage: number): string | undefined {
  return codePage > 28590 && codePage < 28606 ? `iso-8859-${codePage - 28590}` : undefined;
}
