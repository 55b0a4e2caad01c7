import { buildConnector } from 'undici';
import { checkLiteral, guardedLookup, systemResolve, type AddressGuard, type Resolve } from './address-guard.js';

export interface GuardedConnectorOptions {
  readonly guard: AddressGuard;
  /** For the connection with its TLS handshake, in milliseconds. */
  readonly connectMs: number;
  readonly resolve?: Resolve;
}

/**
 * How undici opens connections on behalf of a source: every address is judged at the moment of connecting, a literal one
 * before it, those of a name as they are looked up. A failed check rejects the request with `denied`.
 */
export function guardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const { guard, connectMs, resolve = systemResolve } = options;
  const connect = buildConnector({ lookup: guardedLookup(guard, resolve), timeout: connectMs });
  return (target, done) => {
    try {
      checkLiteral(guard, target.hostname);
    } catch (refusal) {
      done(refusal instanceof Error ? refusal : new Error(String(refusal)), null);
      return;
    }
    connect(target, done);
  };
}
