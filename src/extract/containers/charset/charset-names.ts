/**
 * Names of character sets. Documents name them in many ways; everything here goes by one name each, the preferred one of
 * IANA where there is one (`windows-1252`, `ISO-8859-1`, `Shift_JIS`), which is also what ends up in the content type.
 */
const ALIASES: Readonly<Record<string, string>> = {
  ascii: 'US-ASCII',
  'us-ascii': 'US-ASCII',
  'ansi_x3.4-1968': 'US-ASCII',
  utf8: 'UTF-8',
  'utf-8': 'UTF-8',
  'utf-8-sig': 'UTF-8',
  'unicode-1-1-utf-8': 'UTF-8',
  'utf-16': 'UTF-16',
  utf16: 'UTF-16',
  'utf-16le': 'UTF-16LE',
  'utf-16-le': 'UTF-16LE',
  'utf-16be': 'UTF-16BE',
  'utf-16-be': 'UTF-16BE',
  'ucs-2': 'UTF-16LE',
  unicode: 'UTF-16LE',
  'utf-32': 'UTF-32',
  'utf-32le': 'UTF-32LE',
  'utf-32-le': 'UTF-32LE',
  'utf-32be': 'UTF-32BE',
  'utf-32-be': 'UTF-32BE',
  latin1: 'ISO-8859-1',
  'iso_8859-1:1987': 'ISO-8859-1',
  l1: 'ISO-8859-1',
  latin2: 'ISO-8859-2',
  latin5: 'ISO-8859-9',
  'iso-8859-8-i': 'ISO-8859-8',
  arabic: 'ISO-8859-6',
  greek: 'ISO-8859-7',
  hebrew: 'ISO-8859-8',
  cyrillic: 'ISO-8859-5',
  'x-user-defined': 'windows-1252',
  ansi: 'windows-1252',
  shift_jis: 'Shift_JIS',
  'shift-jis': 'Shift_JIS',
  sjis: 'Shift_JIS',
  'x-sjis': 'Shift_JIS',
  cp932: 'Shift_JIS',
  ms932: 'Shift_JIS',
  'windows-31j': 'Shift_JIS',
  'euc-jp': 'EUC-JP',
  'x-euc-jp': 'EUC-JP',
  eucjp: 'EUC-JP',
  'iso-2022-jp': 'ISO-2022-JP',
  'euc-jis-2004': 'EUC-JP',
  'euc-kr': 'EUC-KR',
  cp949: 'EUC-KR',
  uhc: 'EUC-KR',
  'ks_c_5601-1987': 'EUC-KR',
  ksc5601: 'EUC-KR',
  'windows-949': 'EUC-KR',
  big5: 'Big5',
  'big5-hkscs': 'Big5',
  'x-x-big5': 'Big5',
  cp950: 'Big5',
  gb2312: 'GB2312',
  'x-gbk': 'GBK',
  gbk: 'GBK',
  cp936: 'GBK',
  gb18030: 'GB18030',
  'tis-620': 'TIS-620',
  tis620: 'TIS-620',
  cp874: 'TIS-620',
  macintosh: 'x-MacRoman',
  mac: 'x-MacRoman',
  macroman: 'x-MacRoman',
  'x-mac-roman': 'x-MacRoman',
  maccyrillic: 'x-MacCyrillic',
  'x-mac-cyrillic': 'x-MacCyrillic',
  'x-mac-ukrainian': 'x-MacCyrillic',
};

const PATTERNS: readonly (readonly [pattern: RegExp, prefix: string])[] = [
  [/^(?:windows|win|cp|x-cp|ms)[-_]?(125\d)$/, 'windows-'],
  [/^windows[-_]?(874)$/, 'windows-'],
  [/^iso[-_]?8859[-_]?(\d{1,2})$/, 'ISO-8859-'],
  [/^(?:ibm|cp|dos|ibm-)[-_]?(\d{3,4})$/, 'IBM'],
  [/^koi8[-_]?([ru])$/, 'KOI8-'],
  [/^(?:x-)?mac[-_]?([a-z0-9]+)$/, 'x-Mac'],
];

/** The one name of a character set, or undefined for a label that means nothing. */
export function charsetName(label: string): string | undefined {
  const plain = label
    .trim()
    .replace(/^["']|["']$/g, '')
    .toLowerCase();
  if (plain === '' || plain.length > 40) return undefined;
  const alias = Object.hasOwn(ALIASES, plain) ? ALIASES[plain] : undefined;
  if (alias !== undefined) return alias;
  for (const [pattern, prefix] of PATTERNS) {
    const part = pattern.exec(plain)?.[1];
    if (part === undefined) continue;
    if (prefix === 'KOI8-') return `KOI8-${part.toUpperCase()}`;
    return prefix === 'x-Mac' ? `x-Mac${part.charAt(0).toUpperCase()}${part.slice(1)}` : `${prefix}${part}`;
  }
  return undefined;
}
