import { createHash, randomBytes } from 'node:crypto';
import type { WebdavLogin } from './webdav-server.js';

/**
 * The `Authorization` header, by what the server asks for in `WWW-Authenticate`: Digest (RFC 7616), which does not send the
 * password, before Basic (RFC 7617). Nothing is sent before the server has asked; from then on every request carries it.
 *
 *     WWW-Authenticate: Digest realm="dav", nonce="…", algorithm=SHA-256, qop="auth"
 *     Authorization: Digest username="…", realm="dav", nonce="…", uri="/dav/", response="…", qop=auth, nc=00000001, cnonce="…"
 *
 * response = H( H(user:realm:password) : nonce : nc : cnonce : qop : H(method:uri) ), without nc, cnonce and qop for
 * servers of RFC 2069; `-sess` algorithms hash nonce and cnonce into the first part as well.
 */
export class Authorization {
  readonly #login: WebdavLogin | undefined;
  #challenge: Challenge | undefined;
  #count = 0;

  constructor(login: WebdavLogin | undefined) {
    this.#login = login;
  }

  /** Undefined before the server has asked for one. */
  header(method: string, path: string): string | undefined {
    if (this.#login === undefined || this.#challenge === undefined) return undefined;
    const { username, password } = this.#login;
    if (this.#challenge.scheme === 'basic') {
      return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
    }
    this.#count += 1;
    const clientNonce = randomBytes(16).toString('hex');
    return digestHeader(this.#login, this.#challenge, { method, path, count: this.#count, clientNonce });
  }

  /**
   * Takes the challenge of a refused request. False when the same login would be refused again.
   * @param sent what the refused request carried
   */
  accept(challenges: string | readonly string[] | undefined, sent: string | undefined): boolean {
    if (this.#login === undefined) return false;
    const offered = parseChallenges(challenges);
    const best = offered.find(({ scheme }) => scheme === 'digest') ?? offered.find(({ scheme }) => scheme === 'basic');
    if (best === undefined) return false;
    // Other requests may have been sent with an older challenge than the one that is known by now.
    const wasCurrent = sent === undefined || this.#wasMadeFor(sent);
    if (sent !== undefined && wasCurrent && !(best.scheme === 'digest' && best.stale)) return false;
    if (wasCurrent) {
      this.#challenge = best;
      this.#count = 0;
    }
    return true;
  }

  #wasMadeFor(sent: string): boolean {
    if (this.#challenge?.scheme !== 'digest') return true;
    return sent.includes(`nonce="${this.#challenge.nonce}"`);
  }
}

export type Challenge =
  | { readonly scheme: 'basic' }
  | {
      readonly scheme: 'digest';
      readonly realm: string;
      readonly nonce: string;
      readonly opaque: string | undefined;
      /** As the server writes it; MD5 when it says nothing. */
      readonly algorithm: string | undefined;
      readonly qop: 'auth' | undefined;
      readonly stale: boolean;
    };

const HASHES: Readonly<Record<string, string>> = { MD5: 'md5', 'SHA-256': 'sha256', 'SHA-512-256': 'sha512-256' };

/** Those that can be answered, the stronger ones first. */
export function parseChallenges(header: string | readonly string[] | undefined): readonly Challenge[] {
  const text = typeof header === 'string' ? header : (header ?? []).join(', ');
  const found: Challenge[] = [];
  for (const { scheme, parameters } of schemesIn(text)) {
    if (scheme === 'basic') found.push({ scheme });
    if (scheme !== 'digest') continue;
    const challenge = digestChallenge(parameters);
    if (challenge !== undefined) found.push(challenge);
  }
  return found.sort((a, b) => strengthOf(b) - strengthOf(a));
}

function strengthOf(challenge: Challenge): number {
  if (challenge.scheme === 'basic') return 0;
  return hashOf(challenge.algorithm) === 'md5' ? 1 : 2;
}

function digestChallenge(parameters: ReadonlyMap<string, string>): Challenge | undefined {
  const nonce = parameters.get('nonce');
  const algorithm = parameters.get('algorithm');
  if (nonce === undefined || hashOf(algorithm) === undefined) return undefined;
  const qops = parameters
    .get('qop')
    ?.toLowerCase()
    .split(/\s*,\s*/);
  if (qops !== undefined && !qops.includes('auth')) return undefined;
  return {
    scheme: 'digest',
    realm: parameters.get('realm') ?? '',
    nonce,
    opaque: parameters.get('opaque'),
    algorithm,
    qop: qops === undefined ? undefined : 'auth',
    stale: parameters.get('stale')?.toLowerCase() === 'true',
  };
}

/** Several challenges may stand in one header: `Digest realm="a", nonce="b", Basic realm="c"`. */
function* schemesIn(text: string): Generator<{ scheme: string; parameters: Map<string, string> }> {
  let current: { scheme: string; parameters: Map<string, string> } | undefined;
  for (const match of text.matchAll(/([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?/gs)) {
    const [, word = '', quoted, token] = match;
    const value = quoted?.replace(/\\(.)/gs, '$1') ?? token;
    if (value !== undefined) {
      current?.parameters.set(word.toLowerCase(), value);
      continue;
    }
    if (current !== undefined) yield current;
    current = { scheme: word.toLowerCase(), parameters: new Map() };
  }
  if (current !== undefined) yield current;
}

function hashOf(algorithm = 'MD5'): string | undefined {
  return HASHES[algorithm.toUpperCase().replace(/-SESS$/, '')];
}

interface DigestRequest {
  readonly method: string;
  readonly path: string;
  readonly count: number;
  readonly clientNonce: string;
}

export function digestHeader(
  { username, password }: WebdavLogin,
  challenge: Challenge & { scheme: 'digest' },
  { method, path, count, clientNonce }: DigestRequest,
): string {
  const { realm, nonce, opaque, algorithm, qop } = challenge;
  const hash = (text: string): string =>
    createHash(hashOf(algorithm) ?? 'md5')
      .update(text, 'utf8')
      .digest('hex');
  const user = hash(`${username}:${realm}:${password}`);
  const key = /-sess$/i.test(algorithm ?? '') ? hash(`${user}:${nonce}:${clientNonce}`) : user;
  const nc = count.toString(16).padStart(8, '0');
  const request = hash(`${method}:${path}`);
  const middle = qop === undefined ? nonce : `${nonce}:${nc}:${clientNonce}:${qop}`;
  const fields = [
    `Digest username="${escaped(username)}"`,
    `realm="${escaped(realm)}"`,
    `nonce="${nonce}"`,
    `uri="${path}"`,
    ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    `response="${hash(`${key}:${middle}:${request}`)}"`,
    ...(qop === undefined ? [] : [`qop=${qop}`, `nc=${nc}`, `cnonce="${clientNonce}"`]),
    ...(opaque === undefined ? [] : [`opaque="${opaque}"`]),
  ];
  // Headers carry bytes, one character each.
  return Buffer.from(fields.join(', '), 'utf8').toString('latin1');
}

function escaped(text: string): string {
  return text.replace(/["\\]/g, '\\$&');
}
