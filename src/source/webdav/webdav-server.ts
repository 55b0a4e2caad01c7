import type { AddressGuard } from '../address-guard.js';
import type { NetworkTimeouts } from '../deadline.js';

/** Where a share is, and as whom it is asked. */
export interface WebdavServer {
  /** Without credentials and without a slash at the end of its path. */
  readonly endpoint: URL;
  /** Undefined for a share without a login. */
  readonly login: WebdavLogin | undefined;
  readonly guard: AddressGuard;
  readonly timeouts: NetworkTimeouts;
}

export interface WebdavLogin {
  readonly username: string;
  readonly password: string;
}

/** For messages: `https://cloud.example.com/remote.php/dav`. */
export function addressOf({ endpoint }: Pick<WebdavServer, 'endpoint'>): string {
  return endpoint.origin + endpoint.pathname.replace(/\/$/, '');
}

/** An address as settings and requests write it; a login in it counts where no other one is given. */
export function serverAt(
  address: string,
  given: { readonly username: string | undefined; readonly password: string | undefined },
): Pick<WebdavServer, 'endpoint' | 'login'> {
  const endpoint = new URL(address);
  const username = given.username ?? decodeURIComponent(endpoint.username);
  const password = given.password ?? decodeURIComponent(endpoint.password);
  endpoint.username = endpoint.password = endpoint.search = endpoint.hash = '';
  endpoint.pathname = endpoint.pathname.replace(/\/+$/, '');
  return { endpoint, login: username === '' ? undefined : { username, password } };
}
