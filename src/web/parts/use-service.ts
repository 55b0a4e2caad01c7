import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ask, type Status } from '../api.js';
import type { ServiceView, Session, VerifyState } from '../operator-api.js';
import { usePolled, type Polled } from './use-polled.js';

const RUNNING_MS = 2000;
const IDLE_MS = 10_000;

/** The service counts the catalog when somebody asks for it, some seconds old at most: the counts come with a later answer. */
const SETTLING_MS = 15_000;

/** Often while a scan is running and until its counts are there, and seldom otherwise. */
export function useStatus(): Polled<Status> {
  const calmAt = useRef(Date.now() + SETTLING_MS);
  return usePolled<Status>('_crawler/status', ({ state }) => {
    if (state === 'RUNNING') calmAt.current = Date.now() + SETTLING_MS;
    return Date.now() < calmAt.current ? RUNNING_MS : IDLE_MS;
  });
}

/** Often while a check is running. A job without a root has none. */
export function useVerification(): Polled<VerifyState> {
  return usePolled<VerifyState>('_crawler/verify', ({ running }) => (running === null ? IDLE_MS : RUNNING_MS / 2));
}

/** They do not change while the service runs. */
const SETTLED_MS = 600_000;

/** Settings and versions: that of the engine is there once it has answered. Readers may not see them. */
export function useServiceView(isAllowed: boolean): ServiceView | undefined {
  const path = isAllowed ? '' : undefined;
  return usePolled<ServiceView>(path, ({ engine }) => (engine === 'unavailable' ? IDLE_MS : SETTLED_MS)).value;
}

/** Who this browser is to the service; asked again after signing in. */
export function useSession(): { readonly session: Session | undefined; readonly refresh: () => void } {
  const [session, setSession] = useState<Session>();
  const refresh = useCallback(() => {
    ask<Session>('_session', new URLSearchParams()).then(setSession, () => undefined);
  }, []);
  useEffect(refresh, [refresh]);
  return { session, refresh };
}
