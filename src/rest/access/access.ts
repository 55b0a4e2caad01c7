import type { Request } from 'express';
import { decodeHeaderText } from '../../source/file-name.js';
import { hostName } from '../cross-site.js';
import type { KeyRing, Role } from './key-ring.js';
import { mayUseCookie, tokenOf } from './session-cookie.js';
import type { Sessions } from './sessions.js';

export interface AccessParts {
  readonly keys: KeyRing;
  readonly sessions: Sessions;
  readonly cookie: string;
  /** Names of the service beside its own, such as that of a proxy. */
  readonly allowedHosts: readonly string[];
}

/** Who may do what: keys of scripts, sessions of browsers. */
export class Access {
  readonly keys: KeyRing;
  readonly sessions: Sessions;
  /** Name of the cookie of a session. */
  readonly cookie: string;
  readonly #allowedHosts: ReadonlySet<string>;

  constructor({ keys, sessions, cookie, allowedHosts }: AccessParts) {
    this.keys = keys;
    this.sessions = sessions;
    this.cookie = cookie;
    this.#allowedHosts = new Set(allowedHosts.map(hostName));
  }

  /** Undefined for somebody who has to show a key first. A key that is sent counts, and no cookie beside it. */
  roleOf(request: Request): Role | undefined {
    if (!this.keys.isLocked) return 'full';
    const key = keyOf(request.headers.authorization ?? '');
    if (key !== undefined) return this.keys.roleOf(key);
    const token = tokenOf(request.headers, this.cookie);
    return token !== undefined && mayUseCookie(request, this.#allowedHosts) ? this.sessions.roleOf(token) : undefined;
  }
}

/** A bearer token, or the password of basic authentication (the user name does not matter). */
function keyOf(header: string): string | undefined {
  const [, scheme = '', value = ''] = /^\s*(\S+)\s+(.*)$/.exec(header) ?? [];
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return decodeHeaderText(value.trim());
    case 'basic': {
      const pair = Buffer.from(value, 'base64').toString('utf8');
      return pair.slice(pair.indexOf(':') + 1);
    }
    default:
      return undefined;
  }
}
