import { lookup } from 'node:dns/promises';
import { isLoopback } from '../source/address-class.js';
import { CrawlerError, messageOf } from '../base/errors.js';
import { isEverywhere } from './base-url.js';

/** Where the service listens, from `rest.url`. */
export interface ListenAddress {
  /** As written, for the address that people see. */
  readonly host: string;
  /** The address that the host name stands for. */
  readonly address: string;
  readonly port: number;
  /** Path before every endpoint: empty or `/prefix`, without a trailing slash. */
  readonly prefix: string;
  readonly loopback: boolean;
  /** On all addresses of this machine: `host` is none that a caller could use. */
  readonly everywhere: boolean;
}

const EXAMPLE = 'Write it as http://host:port, for instance http://127.0.0.1:8080.';

/** Throws `settings_invalid`. */
export async function parseListenAddress(text: string): Promise<ListenAddress> {
  const url = parse(text);
  const bare = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const { address } = await lookup(bare, { verbatim: false }).catch((error: unknown) => {
    throw invalid(text, `its host name [${bare}] is unknown on this machine`, error);
  });
  return {
    host: url.hostname,
    address,
    port: url.port === '' ? 80 : Number(url.port),
    prefix: url.pathname.replace(/\/+$/, ''),
    loopback: isLoopback(address),
    everywhere: isEverywhere(url.hostname),
  };
}

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw invalid(text, 'it is not a URL');
  if (url.protocol === 'https:') {
    throw invalid(text, 'TLS is not served; listen with http and put a TLS proxy in front');
  }
  if (url.protocol !== 'http:') throw invalid(text, 'its scheme must be http');
  if (url.username !== '' || url.password !== '')
    throw invalid(text, 'it must not hold a user name or password; use rest.api_keys');
  if (url.search !== '' || url.hash !== '') throw invalid(text, 'it must not hold a query or a fragment');
  if (url.pathname.includes('//')) throw invalid(text, 'its path holds an empty part');
  return url;
}

function invalid(text: string, why: string, cause?: unknown): CrawlerError {
  const shown = text.replace(/\/\/[^/?#]*@/, '//');
  return new CrawlerError('settings_invalid', `rest.url [${shown}] cannot be used: ${why}. ${EXAMPLE}`, {
    subject: 'rest.url',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** What the system says when the address cannot be listened on, as a sentence. */
export function listenError(error: unknown, { host, port }: ListenAddress): CrawlerError {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  const subject = { subject: 'rest.url', cause: error };
  switch (code) {
    case 'EADDRINUSE':
      return new CrawlerError(
        'conflict',
        `rest.url: port ${port} of ${host} is in use, perhaps by another crawler. Give each instance its own port; another path is not enough.`,
        subject,
      );
    case 'EACCES':
      return new CrawlerError(
        'denied',
        `rest.url: this user may not listen on port ${port} of ${host}. Choose a port above 1023.`,
        subject,
      );
    case 'EADDRNOTAVAIL':
      return new CrawlerError(
        'settings_invalid',
        `rest.url: ${host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all of its addresses.`,
        subject,
      );
    default:
      return new CrawlerError(
        'unavailable',
        `rest.url: ${host}:${port} cannot be listened on: ${messageOf(error)}`,
        subject,
      );
  }
}
