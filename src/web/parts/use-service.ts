import { useEffect, useState } from 'preact/hooks';
import { ask, type Status } from '../api.js';
import type { ServiceView, VerifyState } from '../operator-api.js';
import { usePolled, type Polled } from './use-polled.js';

const RUNNING_MS = 2000;
const IDLE_MS = 10_000;

/** Often while a scan is running, and seldom otherwise. */
export function useStatus(): Polled<Status> {
  return usePolled<Status>('_crawler/status', ({ state }) => (state === 'RUNNING' ? RUNNING_MS : IDLE_MS));
}

/** Often while a check is running. A job without a root has none. */
export function useVerification(): Polled<VerifyState> {
  return usePolled<VerifyState>('_crawler/verify', ({ running }) => (running === null ? IDLE_MS : RUNNING_MS / 2));
}

/** Name of the job, its settings, versions: they do not change while the service runs. */
export function useServiceView(): ServiceView | undefined {
  const [view, setView] = useState<ServiceView>();
  useEffect(() => {
    ask<ServiceView>('', new URLSearchParams()).then(setView, () => undefined);
  }, []);
  return view;
}
