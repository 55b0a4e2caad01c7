import { join } from 'node:path';
import type { JobSettings } from '../../settings/job-settings.js';
import { openGuard } from '../address-guard.js';
import { defaultTimeouts } from '../deadline.js';
import type { SourceContext } from '../source-context.js';
import type { TreeSource } from '../source.js';
import { HostKeys } from './host-keys.js';
import { SshSource } from './ssh-source.js';

/** The tree of a job with `fs.provider: ssh`. */
export function openSsh({ fs, server }: JobSettings, context: SourceContext): TreeSource {
  return new SshSource({
    followSymlinks: fs.followSymlinks,
    server: {
      host: server.hostname ?? '',
      port: server.port,
      user: server.username ?? '',
      password: server.password,
      pemPath: server.pemPath,
      hostKeys: hostKeys(server.hostKey, context),
      guard: openGuard,
      timeouts: defaultTimeouts,
    },
  });
}

/** Keys are remembered beside the jobs: they belong to the machine, not to one of them. */
export function hostKeys(pinned: string | undefined, { configDirectory, log }: SourceContext): HostKeys {
  return new HostKeys({ pinned, ownFile: join(configDirectory, 'known_hosts'), log });
}
