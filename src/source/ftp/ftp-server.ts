import type { AddressGuard } from '../address-guard.js';
import type { NetworkTimeouts } from '../deadline.js';

/** Where to connect to, and as whom. */
export interface FtpServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string | undefined;
  /** TLS: none, from the AUTH command on, or from the first byte. */
  readonly tls: 'none' | 'explicit' | 'implicit';
  readonly guard: AddressGuard;
  readonly timeouts: NetworkTimeouts;
}

/** `ftp://host:port`, for messages and `file.url`. */
export function addressOf({ host, port, tls }: FtpServer): string {
  return `${tls === 'implicit' ? 'ftps' : 'ftp'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
