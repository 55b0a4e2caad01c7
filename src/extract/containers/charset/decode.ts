import { isAscii } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';

/** Turns bytes into text piece by piece, so that a long text is never held twice. */
interface TextStreamDecoder {
  write(bytes: Uint8Array): string;
  end(): string;
}

const CHUNK_BYTES = 256 * 1024;

/**
 * Which table decodes a character set: supersets are used where documents use them under the name of the subset
 * (windows-1252 for ISO-8859-1, code page 949 for EUC-KR …).
 */
const TABLES: Readonly<Record<string, string>> = {
  'US-ASCII': 'windows-1252',
  'ISO-8859-1': 'windows-1252',
  'ISO-8859-9': 'windows-1254',
  'UTF-16': 'utf-16',
  'EUC-KR': 'cp949',
  GB2312: 'gb18030',
  GBK: 'gb18030',
  'TIS-620': 'windows-874',
};

/** Seven-bit encodings with shift sequences are only known to the decoder of the platform. */
const PLATFORM_CHARSETS: ReadonlySet<string> = new Set(['ISO-2022-JP']);

/** In these, ASCII is ASCII: such text needs no table at all. */
const ASCII_SUPERSETS = /^(?:UTF-8$|US-ASCII$|ISO-8859-|windows-)/;

/** @throws RangeError for a character set that nothing here can decode. */
async function openDecoder(charset: string): Promise<TextStreamDecoder> {
  if (charset === 'UTF-8') return withoutMark(new StringDecoder('utf8'));
  if (charset === 'UTF-16LE') return withoutMark(new StringDecoder('utf16le'));
  if (PLATFORM_CHARSETS.has(charset)) return platformDecoder(charset);
  const { default: iconv } = await import('iconv-lite');
  const table = TABLES[charset] ?? charset.replace(/^x-/, '');
  if (!iconv.encodingExists(table)) throw new RangeError(`The character set [${charset}] is not known.`);
  const decoder = iconv.getDecoder(table);
  return { write: (bytes) => decoder.write(asBuffer(bytes)), end: () => decoder.end() ?? '' };
}

/** The text in pieces of bounded size. The caller may stop early. */
export async function* decodePieces(bytes: Uint8Array, charset: string): AsyncGenerator<string> {
  const isPlain = ASCII_SUPERSETS.test(charset) && isAscii(bytes);
  const decoder = isPlain ? asciiDecoder : await openDecoder(charset);
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    yield decoder.write(bytes.subarray(at, at + CHUNK_BYTES));
  }
  const rest = decoder.end();
  if (rest !== '') yield rest;
}

const asciiDecoder: TextStreamDecoder = {
  write: (bytes) => asBuffer(bytes).toString('latin1'),
  end: () => '',
};

function withoutMark(decoder: StringDecoder): TextStreamDecoder {
  let begun = false;
  return {
    write: (bytes) => {
      const text = decoder.write(asBuffer(bytes));
      if (begun || text === '') return text;
      begun = true;
      return text.startsWith('\ufeff') ? text.slice(1) : text;
    },
    end: () => decoder.end(),
  };
}

function platformDecoder(charset: string): TextStreamDecoder {
  const decoder = new TextDecoder(charset);
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
