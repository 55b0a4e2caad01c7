/**
 * The character set that an HTML page says it has: `<meta charset=…>` or `<meta http-equiv=Content-Type
 * content="…; charset=…">`, or the XML declaration of XHTML. Comments do not count.
 */
const HEAD_BYTES = 8 * 1024;
const META = /<meta\b([^>]*)>/gi;
const CHARSET = /\bcharset\s*=\s*(?:["']\s*)?([-_:.a-z0-9]+)/i;
const XML_DECLARATION = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)["']/i;

export function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES)).toString('latin1');
  for (const [, attributes = ''] of head.replace(/<!--[^]*?-->/g, ' ').matchAll(META)) {
    const charset = CHARSET.exec(attributes)?.[1];
    if (charset !== undefined) return charset;
  }
  return XML_DECLARATION.exec(head)?.[1];
}
