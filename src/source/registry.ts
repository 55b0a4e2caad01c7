import { CrawlerError } from '../base/errors.js';
import type { JobSettings } from '../settings/job-settings.js';
import { LocalSource } from './local/local-source.js';
import type { TreeSource } from './source.js';

/** The sources that can be crawled, by `fs.provider`. Adding one is a line here. */
const treeSources: Readonly<Partial<Record<string, (settings: JobSettings) => TreeSource>>> = {
  local: ({ fs }) => new LocalSource({ followSymlinks: fs.followSymlinks }),
};

export function openTreeSource(settings: JobSettings): TreeSource {
  const open = treeSources[settings.fs.provider];
  if (open === undefined) {
    throw new CrawlerError(
      'unsupported',
      `fs.provider [${settings.fs.provider}] can not be crawled by this release. Mount the share and use [local].`,
    );
  }
  return open(settings);
}
