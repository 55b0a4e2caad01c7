import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isEmbedded } from '../../settings/engine-provider.js';
import type { JobSettings } from '../../settings/job-settings.js';
import { ok, skipped, warning, type Check } from './check.js';

const ENGINE_TIMEOUT_MS = 3000;
const TOLERANCE_MS = 60_000;

/**
 * The engine's clock, by the `Date` of an answer: whoever answers first, a proxy too, and whatever the answer is. Nothing
 * secret is sent, so neither the certificate matters nor the credentials.
 */
export async function engineClockCheck({ engine }: JobSettings): Promise<Check> {
  const [url] = engine.urls;
  if (url === undefined || isEmbedded(engine))
    return skipped('engine clock', 'the embedded index has the clock of this machine');
  const date = await dateOf(url);
  if (date === undefined) return skipped('engine clock', 'the engine does not report its time');
  const skewMs = date - Date.now();
  const text = `the engine is ${Math.abs(Math.round(skewMs / 1000))} s ${skewMs < 0 ? 'behind' : 'ahead'}`;
  if (Math.abs(skewMs) <= TOLERANCE_MS) return ok('engine clock', text);
  return warning('engine clock', text, 'Synchronise both clocks (NTP): searches relative to now are misleading.');
}

function dateOf(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const { protocol, hostname, port } = new URL(url);
    const options = { method: 'HEAD', hostname, port, path: '/', timeout: ENGINE_TIMEOUT_MS };
    const call = protocol === 'https:' ? requestHttps({ ...options, rejectUnauthorized: false }) : requestHttp(options);
    call.on('response', ({ headers }) => {
      const date = Date.parse(headers.date ?? '');
      resolve(Number.isNaN(date) ? undefined : date);
      call.destroy();
    });
    call.on('timeout', () => call.destroy());
    call.on('error', () => resolve(undefined));
    call.on('close', () => resolve(undefined));
    call.end();
  });
}
