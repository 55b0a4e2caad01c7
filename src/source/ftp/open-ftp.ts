import type { JobSettings } from '../../settings/job-settings.js';
import { openGuard } from '../address-guard.js';
import { defaultTimeouts } from '../deadline.js';
import type { TreeSource } from '../source.js';
import { FtpSource } from './ftp-source.js';

/** The tree of a job with `fs.provider: ftp`. */
export function openFtp({ fs, server }: JobSettings): TreeSource {
  return new FtpSource({
    followSymlinks: fs.followSymlinks,
    server: {
      host: server.hostname ?? '',
      port: server.port,
      user: server.username ?? 'anonymous',
      password: server.password,
      tls: server.ftps,
      guard: openGuard,
      timeouts: defaultTimeouts,
    },
  });
}
