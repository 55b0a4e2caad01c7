/**
 * Tar archives from before the `ustar` signature are known by the checksum of their first header: the sum of its 512
 * bytes, counting the eight bytes of the checksum itself as spaces.
 */
const HEADER_BYTES = 512;
const CHECKSUM_AT = 148;
const CHECKSUM_BYTES = 8;
const SPACE = 0x20;

export function isTar(bytes: Buffer): boolean {
  if (bytes.length < HEADER_BYTES || bytes[0] === 0) return false;
  const stated = /^\s*([0-7]{1,7})[\s\0]/.exec(
    bytes.toString('latin1', CHECKSUM_AT, CHECKSUM_AT + CHECKSUM_BYTES),
  )?.[1];
  if (stated === undefined) return false;
  let sum = SPACE * CHECKSUM_BYTES;
  for (let at = 0; at < HEADER_BYTES; at++) {
    if (at < CHECKSUM_AT || at >= CHECKSUM_AT + CHECKSUM_BYTES) sum += bytes[at] ?? 0;
  }
  return sum === Number.parseInt(stated, 8);
}
