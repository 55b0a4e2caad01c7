import { lookup as systemLookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';

/** Says which addresses may be connected to on behalf of a caller of the service. */
export interface AddressGuard {
  /** Throws `denied` when the address, which the host name resolved to, must not be reached. */
  check(host: string, address: string): void;
}

/** For the servers that the job itself names: whoever writes the settings may reach what they like. */
export const openGuard: AddressGuard = { check: () => undefined };

/** Resolves a host name to all of its addresses; Node's own unless a test has another. */
export type Resolve = (
  host: string,
  done: (error: Error | null, addresses: LookupAddress[] | undefined) => void,
) => void;

export const systemResolve: Resolve = (host, done) => systemLookup(host, { all: true, order: 'verbatim' }, done);

/**
 * The `lookup` of a connection, with every address judged: what was checked is what is connected to, also when the name
 * changes its mind in between.
 */
export function guardedLookup(guard: AddressGuard, resolve: Resolve = systemResolve): LookupFunction {
  return (host, options, callback) => {
    resolve(host, (error, addresses = []) => {
      if (error !== null) return callback(error, '');
      const [first] = addresses;
      if (first === undefined) return callback(new Error(`The host name ${host} has no address`), '');
      try {
        for (const each of addresses) guard.check(host, each.address);
      } catch (refusal) {
        return callback(refusal instanceof Error ? refusal : new Error(String(refusal)), '');
      }
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** A literal address resolves nothing, so no `lookup` is asked: it is judged here. Throws `denied`. */
export function checkLiteral(guard: AddressGuard, host: string): void {
  if (isIP(host) !== 0) guard.check(host, host);
}

/** The address to connect to, for a client that takes no `lookup`. Rejects with `denied` or the error of the resolver. */
export function guardedAddress(guard: AddressGuard, host: string): Promise<string> {
  if (isIP(host) !== 0) {
    guard.check(host, host);
    return Promise.resolve(host);
  }
  return new Promise((resolve, reject) => {
    guardedLookup(guard)(host, {}, (error, address) => {
      if (error === null && typeof address === 'string') resolve(address);
      else reject(error ?? new Error(`The host name ${host} has no address`));
    });
  });
}
