import { choice, localPath, port, text, verbatim } from '../setting-types.js';
import { section, setting } from '../setting.js';

export const server = section('The server of `fs.provider: ftp` and `ssh`, and of uploads that are fetched from one.', {
  hostname: setting(text, { example: 'files.example.com', meaning: 'Name or address of the server.' }),
  port: setting(port, {
    default: '0',
    example: '22',
    meaning: 'Port. 0: the usual one of the protocol (22 for `ssh`, 21 for `ftp`, 990 for implicit TLS).',
  }),
  username: setting(text, { example: 'crawler', meaning: 'Login name. For `ftp` without one: `anonymous`.' }),
  password: setting(verbatim, { secret: true, example: 'your-password', meaning: 'Login password.' }),
  protocol: setting(
    choice(['local', 'ssh', 'ftp'], {
      refusal: (given) => `${given} is not supported yet. Please use local or ssh or ftp. Disabling crawler`,
    }),
    { default: 'local', meaning: 'Old name of `fs.provider`.' },
  ),
  pemPath: setting(localPath, { example: '/path/to/private-key', meaning: 'Private key for `ssh`.' }),
  hostKey: setting(text, {
    example: 'SHA256:uNiVztksCsDhcc0u9e8BrYXgl…',
    meaning:
      'The only host key to accept over `ssh`: its SHA-256 fingerprint. Not set: the first one seen is remembered.',
  }),
  ftps: setting(choice(['none', 'explicit', 'implicit']), {
    default: 'none',
    meaning: 'TLS for `ftp`: none, from the AUTH command on, or from the first byte.',
  }),
});
