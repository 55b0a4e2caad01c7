import type { AddressGuard } from '../address-guard.js';
import type { NetworkTimeouts } from '../deadline.js';
import type { HostKeys } from './host-keys.js';
import type { SshAddress } from './ssh-address.js';

/** Where to connect to, and as whom. */
export interface SshServer extends SshAddress {
  readonly user: string;
  /** Of the login; also the passphrase of the private key. */
  readonly password: string | undefined;
  /** File of a private key. */
  readonly pemPath: string | undefined;
  readonly hostKeys: HostKeys;
  readonly guard: AddressGuard;
  readonly timeouts: NetworkTimeouts;
}
