import { dirname } from 'node:path';
import { loadSettings } from '../../src/settings/load-settings.js';
import { AddressPolicy } from '../../src/source/address-policy.js';
import type { FetchSources } from '../../src/source/fetch.js';
import { fetchOpeners } from '../../src/source/registry.js';

export interface FetchSourcesOptions {
  /** Where the settings of other jobs, known hosts and the like would be. */
  readonly folder: string;
  /** `--set` pairs. */
  readonly overrides?: readonly string[];
  /** The service listens beyond loopback. */
  readonly exposed?: boolean;
  readonly maxBytes?: number;
  readonly log?: (message: string) => void;
}

/** What a service with these settings fetches from, put together as the program does it. */
export function fetchSourcesOf(options: FetchSourcesOptions): FetchSources {
  const { folder, overrides = [], exposed = false, log = () => undefined } = options;
  const { settings } = loadSettings({ configDir: folder, job: 'job', env: {}, overrides, fsJavaOpts: undefined });
  const { fetch, maxUploadSize } = settings.rest;
  return fetchOpeners({
    settings,
    guard: new AddressPolicy({ allow: fetch.allow, deny: fetch.deny, exposed }),
    maxBytes: options.maxBytes ?? maxUploadSize ?? 1024 ** 3,
    configDirectory: folder,
    log,
  });
}

/** The same for a service whose uploads wait in `spoolDirectory`, over the files of a local root. */
export function localFetchSources(
  root: string,
  spoolDirectory: string,
  exposed: boolean,
  maxBytes?: number,
): FetchSources {
  return fetchSourcesOf({
    folder: dirname(root),
    overrides: [`fs.url=${root}`, `fs.temp_dir=${spoolDirectory}`],
    exposed,
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
}
