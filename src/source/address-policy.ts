import { BlockList, isIP } from 'node:net';
import { CrawlerError } from '../base/errors.js';
import { plainAddress } from './plain-address.js';

/**
 * Which addresses a fetch may reach. The service sits inside a network that its callers may not see, so a URL from a
 * caller must not become a door into it: link-local addresses (where clouds answer with credentials), other metadata
 * addresses and addresses that name no host are never reached, unless an allow rule names the address itself; loopback
 * and private ones are closed too once the service listens beyond loopback, unless a rule allows the address or the name.
 *
 * A rule is a host name (`files.example.com`), a domain (`*.example.com`), an address or a CIDR block. `deny` wins over
 * everything. When `allow` is not empty, nothing but what it names is reached.
 *
 * Every rule is applied to the address that the connection is opened to, so a name that changes its mind between check
 * and connection gains nothing.
 */
export interface AddressRules {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** The service listens beyond loopback. */
  readonly exposed: boolean;
}

type AddressClass = 'public' | 'inner' | 'never';

const INNER = blocks(
  '127.0.0.0/8 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 198.18.0.0/15 ::1 fc00::/7 fec0::/10',
);
const NEVER = blocks(
  '0.0.0.0/8 169.254.0.0/16 192.0.0.0/24 224.0.0.0/4 240.0.0.0/4 100.100.100.200 168.63.129.16 ' +
    ':: fe80::/10 ff00::/8 2001::/32 fd00:ec2::254 fd20:ce::254',
);

export class AddressPolicy {
  readonly #allow: Rules;
  readonly #deny: Rules;
  readonly #exposed: boolean;

  /** Throws `settings_invalid` for a rule that is neither name, address nor CIDR block. */
  constructor(rules: AddressRules) {
    this.#allow = new Rules('rest.fetch.allow', rules.allow);
    this.#deny = new Rules('rest.fetch.deny', rules.deny);
    this.#exposed = rules.exposed;
  }

  /** Throws `denied` when a connection to this address, which the host name resolved to, must not be opened. */
  check(host: string, address: string): void {
    const refuse = (why: string): never => {
      throw new CrawlerError('denied', `The host [${host}] may not be fetched from: ${why}`);
    };
    const plain = plainAddress(address);
    if (this.#deny.names(host) || this.#deny.holds(plain)) refuse('rest.fetch.deny names it');
    if (this.#allow.holds(plain)) return;
    const allowedByName = this.#allow.names(host);
    if (!this.#allow.empty && !allowedByName) refuse('rest.fetch.allow does not name it');
    const kind = classOf(plain);
    if (kind === 'never') refuse('it is a link-local, metadata or reserved address');
    if (kind === 'inner' && this.#exposed && !allowedByName) {
      refuse('it is a loopback or private address; add it to rest.fetch.allow to permit it');
    }
  }
}

class Rules {
  readonly empty: boolean;
  readonly #names = new Set<string>();
  readonly #domains: string[] = [];
  readonly #blocks = new BlockList();

  constructor(setting: string, rules: readonly string[]) {
    this.empty = rules.length === 0;
    for (const rule of rules) this.#add(setting, rule.trim().toLowerCase());
  }

  names(host: string): boolean {
    const name = host.toLowerCase().replace(/\.$/, '');
    return this.#names.has(name) || this.#domains.some((domain) => name.endsWith(domain));
  }

  holds(address: string): boolean {
    return this.#blocks.check(address, familyOf(address));
  }

  #add(setting: string, rule: string): void {
    if (addBlock(this.#blocks, rule.replace(/^\[(.*)\]$/, '$1'))) return;
    if (!/^(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/.test(rule) || /^[\d.]+$/.test(rule)) {
      throw new CrawlerError(
        'settings_invalid',
        `${setting}: [${rule}] is neither a host name (files.example.com, *.example.com), nor an address, nor a CIDR block (10.0.0.0/8).`,
        { subject: setting },
      );
    }
    if (rule.startsWith('*.')) this.#domains.push(rule.slice(1));
    else this.#names.add(rule);
  }
}

export function isLoopback(address: string): boolean {
  const plain = plainAddress(address);
  return plain === '::1' || plain.startsWith('127.');
}

function classOf(address: string): AddressClass {
  const family = familyOf(address);
  if (NEVER.check(address, family)) return 'never';
  return INNER.check(address, family) ? 'inner' : 'public';
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

function blocks(list: string): BlockList {
  const result = new BlockList();
  for (const rule of list.split(' ')) addBlock(result, rule);
  return result;
}

/** False when the rule is neither an address nor a CIDR block. */
function addBlock(list: BlockList, rule: string): boolean {
  const [address = '', prefix] = rule.split('/');
  const family = isIP(address);
  if (family === 0) return false;
  const type = family === 6 ? 'ipv6' : 'ipv4';
  if (prefix === undefined) {
    const plain = plainAddress(address);
    list.addAddress(plain, familyOf(plain));
    return true;
  }
  const bits = Number(prefix);
  if (!/^\d+$/.test(prefix) || bits > (family === 6 ? 128 : 32)) return false;
  list.addSubnet(address, bits, type);
  return true;
}
