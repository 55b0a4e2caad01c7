import { sshDeclaration } from '../../settings/declarations/sources/ssh.js';
import type { SourceDescription } from '../source-description.js';

export const ssh: SourceDescription = {
  type: sshDeclaration.type,
  openTree: async (settings, context) => (await import('./open-ssh.js')).openSsh(settings, context),
  fetch: {
    about: 'What is left out is taken from `server.*` of the job.',
    parameters: {
      path: { type: 'string', required: true },
      hostname: { type: 'string' },
      port: { type: 'integer' },
      username: { type: 'string' },
      password: { type: 'string' },
      pem_path: { type: 'string' },
    },
    load: async (context) => new (await import('./ssh-fetch.js')).SshFetch(context),
  },
};
