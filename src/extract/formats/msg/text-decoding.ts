import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { decodeCodePage, decodeLatin1 } from '../../containers/charset/code-page.js';
import { guessCharset } from '../../containers/charset/guess-charset.js';
import { asciiText, type MapiStorage, type TextDecoding } from './mapi-storage.js';

/**
 * How the strings of a message that are not Unicode are to be read: by the code page that the message names, by the
 * charset of its content type, or by what its body looks like. Files claim UTF-8 wrongly, so that is only believed of
 * strings that are valid UTF-8.
 */
const MESSAGE_CODE_PAGE = 0x3ffd;
const INTERNET_CODE_PAGE = 0x3fde;
const UTF8_CODE_PAGE = 65001;
const DEFAULT_CODE_PAGE = 1252;

export async function textDecodingOf(message: MapiStorage): Promise<TextDecoding> {
  for (const property of [MESSAGE_CODE_PAGE, INTERNET_CODE_PAGE]) {
    const codePage = message.number(property);
    if (codePage !== undefined && codePage > 0 && codePage !== UTF8_CODE_PAGE) return utf8Or(byCodePage(codePage));
  }
  const headers = message.text('007D', decodeLatin1) ?? '';
  const charset = /^content-type:[^\n]*(?:\n[ \t][^\n]*)*?charset=["']?([^;'"\s]+)/im.exec(headers)?.[1];
  if (charset !== undefined && iconv.encodingExists(charset)) return utf8Or((bytes) => iconv.decode(bytes, charset));
  const body = message.narrowText('1000');
  if (body === undefined || isUtf8(body)) return utf8Or(byCodePage(DEFAULT_CODE_PAGE));
  const guessed = await guessCharset(body);
  return utf8Or(
    iconv.encodingExists(guessed) ? (bytes) => iconv.decode(bytes, guessed) : byCodePage(DEFAULT_CODE_PAGE),
  );
}

/** The code page of an HTML body, when the message names it. */
export function htmlCodePage(message: MapiStorage): number | undefined {
  return message.number(INTERNET_CODE_PAGE) ?? message.number(MESSAGE_CODE_PAGE);
}

function byCodePage(codePage: number): TextDecoding {
  return (bytes) => decodeCodePage(bytes, codePage);
}

function utf8Or(other: TextDecoding): TextDecoding {
  return (bytes) => {
    const ascii = bytes.every((byte) => byte < 0x80);
    if (ascii) return bytes.includes(0x1b) ? other(bytes) : asciiText(bytes);
    return isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : other(bytes);
  };
}
