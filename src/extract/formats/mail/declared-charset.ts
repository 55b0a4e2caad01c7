import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';

/** Text of a part under the charset that the mail declares, or undefined when there is none or it cannot be true. */
export function decodeAs(bytes: Buffer, charset: string | undefined): string | undefined {
  const label = charset?.trim().toLowerCase().replaceAll('"', '') ?? '';
  if (label === '') return undefined;
  if (/^(us-)?ascii$|^utf-?8$|^unknown-8bit$|^7bit$|^8bit$/.test(label)) {
    return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
  }
  // TextDecoder knows ISO-2022-JP and the web's aliases, iconv-lite the DOS and Mac code pages and UTF-7.
  try {
    return new TextDecoder(ALIASES[label] ?? label).decode(bytes);
  } catch {
    return iconv.encodingExists(label) ? iconv.decode(bytes, label) : undefined;
  }
}

const ALIASES: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  ms932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  'iso-2022-jp-1': 'iso-2022-jp',
  'iso-2022-jp-2': 'iso-2022-jp',
  'iso-8859-8-e': 'iso-8859-8',
};

/** True when the bytes are text that needs no guess: ASCII or UTF-8, without the escapes of ISO-2022 and without NUL. */
export function isPlainUtf8(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0x1b) && !bytes.includes(0);
}
