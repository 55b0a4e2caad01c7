import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * What kind of address it is, by the registries of special-purpose addresses (RFC 6890), which ipaddr.js knows. `public` is
 * what is left when all special ranges are taken away, so that a range that nobody thought of is not public.
 */
export type AddressClass =
  | 'public'
  /** Loopback and private: machines that only those inside the network see. */
  | 'inner'
  /** Where clouds answer with credentials, and what names no single host. */
  | 'never';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

const INNER: ReadonlySet<string> = new Set([
  'loopback',
  'private',
  'uniqueLocal',
  'carrierGradeNat',
  'deprecatedSiteLocal',
  'benchmarking',
]);

/** Metadata services outside of the link-local range: Alibaba, Azure, Amazon over IPv6, Google over IPv6. */
const METADATA: ReadonlySet<string> = new Set(['100.100.100.200', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254']);

/** For benchmarks of networks; ipaddr.js calls it reserved. */
const IPV4_BENCHMARKING = ipaddr.IPv4.parseCIDR('198.18.0.0/15');
/** Everything that has been given out. */
const IPV6_GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

export function classOf(address: IpAddress): AddressClass {
  if (METADATA.has(address.toString())) return 'never';
  const range = address.range();
  if (INNER.has(range)) return 'inner';
  if (address instanceof ipaddr.IPv4) {
    if (address.match(IPV4_BENCHMARKING)) return 'inner';
    return range === 'unicast' ? 'public' : 'never';
  }
  return range === 'unicast' && address.match(IPV6_GLOBAL) ? 'public' : 'never';
}

/** Undefined when the text is no address. A zone id does not change what is reached, and is dropped. */
export function parseAddress(text: string): IpAddress | undefined {
  const [bare = ''] = text.split('%');
  // ipaddr.js alone would also read `0x7f.1`.
  return isIP(bare) === 0 ? undefined : ipaddr.parse(bare);
}

/**
 * The address that is really reached. IPv4 inside IPv6 is reached as IPv4: mapped (`::ffff:0:0/96`), translated
 * (`::ffff:0:0:0/96`), compatible (`::/96`), NAT64 (`64:ff9b::/96`) and 6to4 (`2002::/16`). Teredo and the local NAT64
 * range (`64:ff9b:1::/48`), where the place of the IPv4 address is not known, are left as they are: they are never reached.
 */
export function effectiveAddress(address: IpAddress): IpAddress {
  if (address instanceof ipaddr.IPv4) return address;
  switch (address.range()) {
    case 'ipv4Mapped':
    case 'rfc6145':
      return ipv4At(address, 12);
    case 'rfc6052':
      return address.match(NAT64) ? ipv4At(address, 12) : address;
    case '6to4':
      return ipv4At(address, 2);
    default:
      return address;
  }
}

function ipv4At(address: ipaddr.IPv6, from: number): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(from, from + 4));
}

export function isLoopback(text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && effectiveAddress(address).range() === 'loopback';
}
