/**
 * File names that strangers send: in a part of a multipart form, in a Content-Disposition header (RFC 6266), in a URL.
 *
 * HTTP headers arrive as bytes that Node hands over as Latin-1, while browsers and curl write UTF-8: bytes that are
 * valid UTF-8 are read as such, all others stay Latin-1. Path parts are cut off whatever the separator, since the name of
 * the sender's folder means nothing here, and control characters become `_`.
 */
const MAX_CHARACTERS = 255;

/** The text that was meant by a header value which Node decoded as Latin-1. */
export function decodeHeaderText(value: string): string {
  // A character above U+00FF was never a byte: such a value is decoded already.
  if (!/[\u0080-\u00ff]/.test(value) || /[\u0100-\uffff]/.test(value)) return value;
  return decodeUtf8(Buffer.from(value, 'latin1')) ?? value;
}

/** The base name, or undefined when nothing usable is left. */
export function toFileName(raw: string): string | undefined {
  const base = raw.slice(Math.max(raw.lastIndexOf('/'), raw.lastIndexOf('\\')) + 1);
  const name = base.replace(/\p{Cc}/gu, '_').trim();
  return name === '' || name === '.' || name === '..' ? undefined : name;
}

/** No file system holds longer names; a longer one is a mistake or an attack. */
export function isTooLong(name: string): boolean {
  return name.length > MAX_CHARACTERS;
}

/** An extended value of RFC 8187, `UTF-8''na%C3%AFve.txt`, or undefined when it is malformed. */
export function decodeExtendedValue(value: string): string | undefined {
  const match = /^([A-Za-z0-9-]+)'[^']*'(.*)$/s.exec(value);
  if (match === null) return undefined;
  const [, charset = '', encoded = ''] = match;
  const bytes = percentDecode(encoded);
  if (bytes === undefined) return undefined;
  switch (charset.toLowerCase()) {
    case 'utf-8':
      return decodeUtf8(bytes);
    case 'iso-8859-1':
      return bytes.toString('latin1');
    default:
      return undefined;
  }
}

/** Undefined when the bytes are not UTF-8. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function percentDecode(text: string): Buffer | undefined {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  const latin1 = text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(latin1, 'latin1');
}

/** The file name of a Content-Disposition header; `filename*` wins over `filename`. */
export function fileNameOfDisposition(header: string): string | undefined {
  const parameters = new Map<string, string>();
  for (const match of header.matchAll(/;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/gs)) {
    const [, key = '', quoted, token] = match;
    const value = quoted === undefined ? (token ?? '') : quoted.replace(/\\(["\\])/g, '$1');
    if (!parameters.has(key.toLowerCase())) parameters.set(key.toLowerCase(), value);
  }
  const extended = parameters.get('filename*');
  const decoded = extended === undefined ? undefined : decodeExtendedValue(extended);
  const plain = parameters.get('filename');
  const name = decoded ?? (plain === undefined ? undefined : decodeHeaderText(plain));
  return name === undefined ? undefined : toFileName(name);
}
