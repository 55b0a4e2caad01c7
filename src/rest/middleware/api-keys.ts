import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { decodeHeaderText } from '../../source/file-name.js';
import { RequestFault } from '../request-fault.js';

/**
 * `rest.api_keys`: every request carries one of them, as a bearer token or as the password of basic authentication (the
 * user name does not matter). OPTIONS needs none, since browsers send preflights without credentials.
 */
export function apiKeys(keys: readonly string[]): RequestHandler {
  const digests = keys.filter((key) => key !== '').map(digest);
  return (request, _response, next) => {
    const key = keyOf(request.headers.authorization ?? '');
    // Every key is compared, and digests instead of keys, so that the time taken tells nothing.
    const given = key === undefined ? undefined : digest(key);
    const matches = digests.filter((each) => given !== undefined && timingSafeEqual(each, given));
    if (matches.length === 0 && request.method !== 'OPTIONS') {
      throw new RequestFault(
        401,
        'An API key is needed: send it as a bearer token or as the password of basic authentication.',
        {
          'WWW-Authenticate': 'Bearer realm="crawler", Basic realm="crawler", charset="UTF-8"',
        },
      );
    }
    next();
  };
}

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

function digest(key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest();
}
