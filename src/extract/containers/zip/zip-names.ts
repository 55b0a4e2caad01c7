import { crc32 } from 'node:zlib';
import { extraField } from './zip-extra.js';

const FLAG_UTF8 = 0x0800;
const EXTRA_UNICODE_PATH = 0x7075;

/** The upper half of code page 437, the encoding of names without the UTF-8 flag. */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/**
 * An entry's name. Without the UTF-8 flag the standard says code page 437, but most programs that forget the flag write
 * UTF-8 all the same, so bytes that are valid UTF-8 are taken as such. Backslashes are separators in archives made by
 * DOS and Windows programs that ignore the standard.
 */
export function decodeZipName(raw: Buffer, flags: number, extra: Buffer, fromDos: boolean): string {
  const name = unicodePath(raw, extra) ?? decodeText(raw, (flags & FLAG_UTF8) !== 0);
  return fromDos && !name.includes('/') ? name.replaceAll('\\', '/') : name;
}

function decodeText(raw: Buffer, flagged: boolean): string {
  const text = raw.toString('utf8');
  if (flagged || !text.includes('\ufffd')) return text;
  let decoded = '';
  for (const byte of raw) decoded += byte < 0x80 ? String.fromCharCode(byte) : (CP437[byte - 0x80] ?? '');
  return decoded;
}

/** Info-ZIP's extra field: version, CRC of the plain name (it is stale when that does not match), name in UTF-8. */
function unicodePath(raw: Buffer, extra: Buffer): string | undefined {
  const field = extraField(extra, EXTRA_UNICODE_PATH);
  if (field === undefined || field.length < 6 || field[0] !== 1) return undefined;
  return field.readUInt32LE(1) === crc32(raw) ? field.toString('utf8', 5) : undefined;
}
