import { createHmac } from 'node:crypto';

/**
 * The format of OpenSSH's known_hosts: one line a key, `[marker] hosts type base64`. `hosts` is a list of patterns with
 * `*`, `?` and `!`, or one name hashed as `|1|salt|hash` (HMAC-SHA1). Hosts with another port than 22 are written
 * `[host]:port`. The marker `@revoked` forbids a key; keys of authorities (`@cert-authority`) are passed over.
 */
export interface KnownKey {
  readonly type: string;
  readonly key: Buffer;
  readonly revoked: boolean;
}

export function knownKeysOf(text: string, host: string, port: number): KnownKey[] {
  const name = hostName(host, port);
  return text.split('\n').flatMap((line) => {
    const words = line.trim().split(/\s+/);
    const marker = words[0]?.startsWith('@') === true ? words.shift() : undefined;
    const [hosts = '', type, base64] = words;
    if (type === undefined || base64 === undefined || hosts.startsWith('#')) return [];
    if (marker !== undefined && marker !== '@revoked') return [];
    if (!matches(hosts, name)) return [];
    return [{ type, key: Buffer.from(base64, 'base64'), revoked: marker === '@revoked' }];
  });
}

export function knownHostsLine(host: string, port: number, type: string, key: Buffer): string {
  return `${hostName(host, port)} ${type} ${key.toString('base64')}\n`;
}

function hostName(host: string, port: number): string {
  const lower = host.toLowerCase();
  return port === 22 ? lower : `[${lower}]:${port}`;
}

function matches(hosts: string, name: string): boolean {
  if (hosts.startsWith('|1|')) return matchesHash(hosts, name);
  const patterns = hosts.toLowerCase().split(',');
  const negated = patterns.filter((each) => each.startsWith('!')).map((each) => each.slice(1));
  return !negated.some((each) => fits(each, name)) && patterns.some((each) => fits(each, name));
}

function matchesHash(hosts: string, name: string): boolean {
  const [, , salt = '', hash = ''] = hosts.split('|');
  return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash;
}

function fits(pattern: string, name: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`).test(name);
}
