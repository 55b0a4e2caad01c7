import { Blowfish } from 'egoroof-blowfish';

/**
 * Blowfish in cipher feedback mode, which OpenDocument files before version 1.2 are encrypted with; OpenSSL 3 no longer
 * offers the cipher, and the library not this mode. Each block is masked by the encrypted block before it, the first one by
 * the initialization vector: to decrypt, all masks are known from the beginning.
 */
export function decryptBlowfishCfb(data: Uint8Array, key: Uint8Array, iv: Uint8Array): Buffer {
  const cipher = new Blowfish(key, Blowfish.MODE.ECB, Blowfish.PADDING.NULL);
  const masks = cipher.encode(Buffer.concat([iv, data]));
  const plain = Buffer.from(data);
  for (let index = 0; index < plain.length; index++) plain[index] = (plain[index] ?? 0) ^ (masks[index] ?? 0);
  return plain;
}
