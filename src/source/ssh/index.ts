import { sshDeclaration } from '../../settings/declarations/sources/ssh.js';
import { serverFetch } from '../server-parameters.js';
import type { SourceDescription } from '../source-description.js';

export const ssh: SourceDescription = {
  type: sshDeclaration.type,
  openTree: async (settings, context) => (await import('./open-ssh.js')).openSsh(settings, context),
  fetch: {
    ...serverFetch,
    parameters: { ...serverFetch.parameters, pem_path: { type: 'string' } },
    load: async (context) => new (await import('./ssh-fetch.js')).SshFetch(context),
  },
};
