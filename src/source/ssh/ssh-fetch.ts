import { CrawlerError } from '../../base/errors.js';
import { SSH_PORT } from '../../settings/declarations/sources/ssh.js';
import { openGuard } from '../address-guard.js';
import { defaultTimeouts } from '../deadline.js';
import type { FetchOpener, FetchParameters, FetchTarget } from '../fetch.js';
import { requiredText } from '../fetch-parameters.js';
import { openFetchedFile } from '../fetched-file.js';
import { optionalText, placeOf, serverParameters, serverPath } from '../server-parameters.js';
import type { FetchContext } from '../source-description.js';
import { hostKeys } from './open-ssh.js';
import { SshSource } from './ssh-source.js';

/** `{"type":"ssh","ssh":{"path":…}}`: a file behind SSH, over a connection of its own. */
export class SshFetch implements FetchOpener {
  readonly type = 'ssh';
  readonly #context: FetchContext;

  constructor(context: FetchContext) {
    this.#context = context;
  }

  async open(parameters: FetchParameters, signal: AbortSignal): Promise<FetchTarget> {
    const { settings, guard, maxBytes } = this.#context;
    const path = serverPath(requiredText('ssh', parameters, 'path', 'ssh path is missing'), settings);
    const { host, port = SSH_PORT, user, password, ofJob } = serverParameters('ssh', parameters, settings);
    if (host === undefined || user === undefined) {
      const lacking = host === undefined ? 'hostname' : 'username';
      throw new CrawlerError(
        'usage',
        `Failed to open SSH session to ${user ?? 'null'}@${host ?? 'null'}:${port}: give the ${lacking} in the request, or set server.${lacking}.`,
      );
    }
    const source = new SshSource({
      followSymlinks: true,
      connections: 1,
      server: {
        host,
        port,
        user,
        password,
        pemPath: optionalText('ssh', parameters, 'pem_path') ?? settings.server.pemPath,
        hostKeys: hostKeys(ofJob ? settings.server.hostKey : undefined, this.#context),
        guard: ofJob ? openGuard : guard,
        timeouts: defaultTimeouts,
      },
    });
    const missing = `File [${path}] does not exist on SSH server`;
    return await openFetchedFile(source, { path, place: placeOf(path, settings), maxBytes, missing }, signal);
  }
}
