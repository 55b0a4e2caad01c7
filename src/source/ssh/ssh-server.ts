import type { AddressGuard } from '../address-guard.js';
import type { Patience } from '../deadline.js';
import type { HostKeys } from './host-keys.js';

/** Where to connect to, and as whom. */
export interface SshServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Of the login; also the passphrase of the private key. */
  readonly password: string | undefined;
  /** File of a private key. */
  readonly pemPath: string | undefined;
  readonly hostKeys: HostKeys;
  readonly guard: AddressGuard;
  readonly patience: Patience;
}

/** `ssh://host:port`, for messages and `file.url`. */
export function addressOf({ host, port }: Pick<SshServer, 'host' | 'port'>): string {
  return `ssh://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
