import { isIP } from 'node:net';

/** The first six words of mapped, NAT64 and compatible addresses. */
const EMBEDDING: ReadonlySet<string> = new Set(['0,0,0,0,0,65535', '100,65435,0,0,0,0', '0,0,0,0,0,0']);

/**
 * The address that is really meant: IPv4 inside IPv6 (mapped `::ffff:0:0/96`, compatible `::/96`, NAT64 `64:ff9b::/96`,
 * 6to4 `2002::/16`) is reached as IPv4, so it is judged as IPv4. Zone ids are dropped.
 */
export function plainAddress(address: string): string {
  const [bare = ''] = address.split('%');
  if (isIP(bare) !== 6) return bare;
  const words = wordsOf(bare);
  const [first, second, third, high, low] = [words[0], words[1] ?? 0, words[2] ?? 0, words[6] ?? 0, words[7] ?? 0];
  if (first === 0x2002) return ipv4Of(second, third);
  const isUnspecifiedOrLoopback = high === 0 && low <= 1;
  return EMBEDDING.has(words.slice(0, 6).join()) && !isUnspecifiedOrLoopback ? ipv4Of(high, low) : bare;
}

/** The eight 16-bit words of an IPv6 address. */
function wordsOf(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const text =
    dotted === null ? address : `${dotted[1] ?? ''}${hexWord(dotted[2], dotted[3])}:${hexWord(dotted[4], dotted[5])}`;
  const [head = '', tail] = text.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : new Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map((word) => parseInt(word, 16));
}

function hexWord(high = '0', low = '0'): string {
  return (Number(high) * 256 + Number(low)).toString(16);
}

function ipv4Of(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
