import { readableFile } from '../../readable-file.js';
import { declareSource } from './source-declaration.js';

export const SSH_PORT = 22;

export const sshDeclaration = declareSource({
  type: 'ssh',
  section: undefined,
  server: () => ({ port: SSH_PORT }),
  rules: [
    {
      about: 'server.username',
      check: (_own, { username }) =>
        username === undefined
          ? 'When using SSH, you need to set a username and probably a password or a pem file. Disabling crawler'
          : undefined,
    },
    {
      about: 'server.hostname',
      check: (_own, { hostname }) =>
        hostname === undefined ? 'Provider [ssh] requires server.hostname to be set' : undefined,
    },
    {
      about: 'server.pem_path',
      check: (_own, { pemPath }) => readableFile(pemPath, (path) => `Private key [${path}]`),
    },
  ],
});
