import type { Logger } from '../base/logger.js';
import { normaliseRoot } from '../base/path.js';
import type { JobSettings } from '../settings/job-settings.js';
import { ChainedPasswords } from './chained/chained-passwords.js';
import { DiskPasswords } from './disk/disk-passwords.js';
import { noopPasswords } from './noop/noop-passwords.js';
import type { PasswordProvider } from './passwords.js';
import { StaticPasswords } from './static/static-passwords.js';

type ProviderName = JobSettings['passwords']['provider'];

/** The password provider of a job. */
export function openPasswords(settings: JobSettings, logger: Logger): PasswordProvider {
  return openProvider(settings.passwords.provider, settings, logger);
}

function openProvider(name: ProviderName, settings: JobSettings, logger: Logger): PasswordProvider {
  const { static: fixed, disk, chained } = settings.passwords.providers;
  switch (name) {
    case 'noop':
      return noopPasswords;
    case 'static':
      return new StaticPasswords(fixed.values.length > 0 || fixed.value === undefined ? fixed.values : [fixed.value]);
    case 'disk':
      return new DiskPasswords(
        normaliseRoot(disk.url === '' ? settings.fs.url : disk.url),
        normaliseRoot(settings.fs.url),
        logger,
      );
    case 'chained':
      return new ChainedPasswords(chained.providers.map((each) => openProvider(each, settings, logger)));
  }
}
