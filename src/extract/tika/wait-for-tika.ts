import { setTimeout as delay } from 'node:timers/promises';
import { abortable } from '../../base/abortable.js';
import { CrawlerError, throwIfCancelled } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import { TikaServerInfo } from './tika-server-info.js';
import type { TikaServer } from './tika-server.js';

export interface WaitForTikaOptions {
  readonly server: TikaServer;
  readonly url: string;
  /** -1 waits for ever, 0 asks once. */
  readonly startTimeoutMs: number;
  readonly logger: Logger;
}

const PAUSE_MS = 500;
const REMINDER_MS = 30_000;

/**
 * Asks the server until it is there, and then what it can do.
 * @throws CrawlerError `unavailable` when it was not ready in time, `settings_invalid` when something else is behind the URL
 */
export async function waitForTika(options: WaitForTikaOptions, signal: AbortSignal): Promise<TikaServerInfo> {
  const { server, url, startTimeoutMs, logger } = options;
  const { shown } = server.address;
  const beganAt = performance.now();
  let remindAt = beganAt;
  for (;;) {
    const health = await server.health(signal);
    if (health.kind === 'ready') break;
    if (health.kind === 'other') {
      const message = `extractor.tika.url [${shown}] is not the address of a Tika server: ${health.message}.`;
      throw new CrawlerError('settings_invalid', message, { subject: shown });
    }
    const now = performance.now();
    if (startTimeoutMs >= 0 && now - beganAt >= startTimeoutMs) throw notThere(options, health.message);
    if (now >= remindAt) {
      logger.warn(`Waiting for the Tika server at [${shown}]: ${health.message}.`);
      remindAt = now + REMINDER_MS;
    }
    await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    throwIfCancelled(signal);
  }
  const info = await abortable(signal, TikaServerInfo.ask(url));
  const { version, parsers, detectors } = info;
  logger.info(`The Tika server at [${shown}] has version [${version}], ${parsers} parsers and ${detectors} detectors.`);
  return info;
}

function notThere({ server, startTimeoutMs }: WaitForTikaOptions, why: string): CrawlerError {
  const { shown } = server.address;
  const [state, remedy] =
    startTimeoutMs === 0
      ? ['is not there', 'Start it, or correct extractor.tika.url.']
      : [
          `was not ready within ${startTimeoutMs / 1000} s`,
          'Start it, correct extractor.tika.url, or raise extractor.tika.start_timeout.',
        ];
  return new CrawlerError('unavailable', `The Tika server at [${shown}] ${state}: ${why}. ${remedy}`, {
    subject: shown,
  });
}
