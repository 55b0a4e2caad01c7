import { CrawlerError } from '../base/errors.js';
import type { JobSettings } from '../settings/job-settings.js';
import type { FetchOpener, FetchSources } from './fetch.js';
import { AddressPolicy } from './http/address-policy.js';
import type { SourceContext } from './source-context.js';
import type { TreeSource } from './source.js';

/** The sources that can be crawled, by `fs.provider`. Adding one is a line here. A source is loaded when it is used. */
const treeSources: Readonly<
  Partial<Record<string, (settings: JobSettings, context: SourceContext) => Promise<TreeSource>>>
> = {
  local: async ({ fs }) => {
    const { LocalSource } = await import('./local/local-source.js');
    return new LocalSource({ followSymlinks: fs.followSymlinks });
  },
  ftp: async (settings) => (await import('./ftp/open-ftp.js')).openFtp(settings),
  ssh: async (settings, context) => (await import('./ssh/open-ssh.js')).openSsh(settings, context),
  s3: async (settings) => (await import('./s3/open-s3.js')).openS3(settings),
};

/** Opens no connection yet. Throws `settings_invalid`. */
export async function openTreeSource(settings: JobSettings, context: SourceContext): Promise<TreeSource> {
  const open = treeSources[settings.fs.provider];
  if (open === undefined) {
    throw new CrawlerError('unsupported', `fs.provider [${settings.fs.provider}] can not be crawled.`);
  }
  return await open(settings, context);
}

export interface FetchContext extends SourceContext {
  /** The service listens beyond loopback: addresses inside the network are closed to its callers. */
  readonly exposed: boolean;
}

/** Of a fetched document when rest.max_upload_size sets none. */
const FETCH_BYTES = 1024 ** 3;

/** What `POST /_document` can fetch from besides this machine and HTTP. */
export function remoteFetchOpeners(settings: JobSettings, context: FetchContext): FetchSources {
  const { maxUploadSize: maxBytes = FETCH_BYTES, fetch } = settings.rest;
  const guard = new AddressPolicy({ allow: fetch.allow, deny: fetch.deny, exposed: context.exposed });
  const openers = [
    lazyOpener('ftp', async () => {
      const { FtpFetch } = await import('./ftp/ftp-fetch.js');
      return new FtpFetch({ settings, guard, maxBytes });
    }),
    lazyOpener('ssh', async () => {
      const { SshFetch } = await import('./ssh/ssh-fetch.js');
      return new SshFetch({ settings, guard, maxBytes, context });
    }),
    lazyOpener('s3', async () => {
      const { S3Fetch } = await import('./s3/s3-fetch.js');
      return new S3Fetch({ settings, guard, maxBytes });
    }),
  ];
  return new Map(openers.map((opener) => [opener.type, opener]));
}

function lazyOpener(type: string, load: () => Promise<FetchOpener>): FetchOpener {
  return {
    type,
    open: async (parameters, signal) => await (await load()).open(parameters, signal),
  };
}
