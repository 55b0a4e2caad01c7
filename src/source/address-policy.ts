import ipaddr from 'ipaddr.js';
import { CrawlerError } from '../base/errors.js';
import { classOf, effectiveAddress, parseAddress, type IpAddress } from './address-class.js';
import type { AddressGuard } from './address-guard.js';

/**
 * Which addresses a fetch may reach. The service sits inside a network that its callers may not see, so a URL from a
 * caller must not become a way into it: link-local addresses (where clouds answer with credentials), other metadata
 * addresses and addresses that name no host are never reached, unless an allow rule names the address itself; loopback
 * and private ones are closed too once the service listens beyond loopback, unless a rule allows the address or the name.
 *
 * A rule is a host name (`files.example.com`), a domain (`*.example.com`), an address or a CIDR block. `deny` wins over
 * everything. When `allow` is not empty, nothing but what it names is reached.
 *
 * Every rule is applied to the address that the connection is opened to, so a name that resolves to something else between
 * check and connection gains nothing.
 */
export interface AddressRules {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** The service listens beyond loopback. */
  readonly exposed: boolean;
}

export class AddressPolicy implements AddressGuard {
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
    const parsed = parseAddress(address);
    if (parsed === undefined) return refuse(`it resolves to [${address}], which is no address`);
    const effective = effectiveAddress(parsed);
    if (this.#deny.names(host) || this.#deny.holds(effective) || this.#deny.holds(parsed)) {
      refuse('rest.fetch.deny names it');
    }
    if (this.#allow.holds(effective)) return;
    const allowedByName = this.#allow.names(host);
    if (!this.#allow.empty && !allowedByName) refuse('rest.fetch.allow does not name it');
    const kind = classOf(effective);
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
  readonly #blocks: Block[] = [];

  constructor(setting: string, rules: readonly string[]) {
    this.empty = rules.length === 0;
    for (const rule of rules) this.#add(setting, rule.trim().toLowerCase());
  }

  names(host: string): boolean {
    const name = host.toLowerCase().replace(/\.$/, '');
    return this.#names.has(name) || this.#domains.some((domain) => name.endsWith(domain));
  }

  holds(address: IpAddress): boolean {
    return this.#blocks.some(
      (block) => block.address.kind() === address.kind() && address.match(block.address, block.bits),
    );
  }

  #add(setting: string, rule: string): void {
    const block = parseBlock(rule.replace(/^\[(.*)\]$/, '$1'));
    if (block !== undefined) {
      this.#blocks.push(block);
      return;
    }
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

interface Block {
  readonly address: IpAddress;
  readonly bits: number;
}

/** Undefined when the rule is neither an address nor a CIDR block. A block of mapped addresses is one of IPv4. */
function parseBlock(rule: string): Block | undefined {
  const [text = '', prefix, ...more] = rule.split('/');
  const address = parseAddress(text);
  if (address === undefined || more.length > 0) return undefined;
  const longest = address instanceof ipaddr.IPv4 ? 32 : 128;
  if (prefix === undefined) {
    const effective = effectiveAddress(address);
    return { address: effective, bits: effective instanceof ipaddr.IPv4 ? 32 : 128 };
  }
  const bits = Number(prefix);
  if (!/^\d+$/.test(prefix) || bits > longest) return undefined;
  if (address instanceof ipaddr.IPv4 || address.range() !== 'ipv4Mapped' || bits < 96) return { address, bits };
  return { address: effectiveAddress(address), bits: bits - 96 };
}
