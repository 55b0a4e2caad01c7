import { dirname } from 'node:path';
import type { Logger } from '../base/logger.js';
import type { JobSettings } from '../settings/job-settings.js';
import { AddressPolicy } from '../source/address-policy.js';
import type { FetchSources } from '../source/fetch.js';
import { fetchOpeners } from '../source/registry.js';

interface FetchParts {
  readonly settings: JobSettings;
  readonly jobDirectory: string;
  readonly logger: Logger;
}

/** Of a fetched document when rest.max_upload_size sets none: its sender is not the caller. */
const FETCH_BYTES = 1024 ** 3;

/**
 * What documents can be fetched from, by type.
 * @param exposed callers are not to be trusted: addresses inside the network are closed to them, unless rest.fetch allows them
 */
export function fetchSources({ settings, jobDirectory, logger }: FetchParts, exposed: boolean): FetchSources {
  const { maxUploadSize: maxBytes = FETCH_BYTES, fetch } = settings.rest;
  return fetchOpeners({
    settings,
    guard: new AddressPolicy({ allow: fetch.allow, deny: fetch.deny, exposed }),
    maxBytes,
    configDirectory: dirname(jobDirectory),
    log: (message) => logger.warn(message),
  });
}
