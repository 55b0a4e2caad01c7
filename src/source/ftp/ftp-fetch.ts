import { CrawlerError } from '../../base/errors.js';
import { usualFtpServer } from '../../settings/declarations/sources/ftp.js';
import { openGuard } from '../address-guard.js';
import { defaultTimeouts } from '../deadline.js';
import type { FetchOpener, FetchParameters, FetchTarget } from '../fetch.js';
import { requiredText } from '../fetch-parameters.js';
import { openFetchedFile } from '../fetched-file.js';
import { placeOf, serverParameters, serverPath } from '../server-parameters.js';
import type { FetchContext } from '../source-description.js';
import { FtpSource } from './ftp-source.js';

/** `{"type":"ftp","ftp":{"path":…}}`: a file of an FTP server, over a connection of its own. */
export class FtpFetch implements FetchOpener {
  readonly type = 'ftp';
  readonly #context: FetchContext;

  constructor(context: FetchContext) {
    this.#context = context;
  }

  async open(parameters: FetchParameters, signal: AbortSignal): Promise<FetchTarget> {
    const { settings, guard, maxBytes } = this.#context;
    const path = serverPath(requiredText('ftp', parameters, 'path', 'ftp path is missing'), settings);
    const usual = usualFtpServer(settings.server);
    const {
      host,
      port = usual.port,
      user = usual.username,
      password,
      ofJob,
    } = serverParameters('ftp', parameters, settings);
    if (host === undefined) {
      throw new CrawlerError(
        'usage',
        "Failed to connect to FTP server: hostname can't be null. Give it in the request, or set server.hostname.",
      );
    }
    const source = new FtpSource({
      followSymlinks: true,
      connections: 1,
      server: {
        host,
        port,
        user,
        password,
        tls: settings.server.ftps,
        guard: ofJob ? openGuard : guard,
        timeouts: defaultTimeouts,
      },
    });
    const missing = `File [${path}] does not exist on FTP server`;
    return await openFetchedFile(source, { path, place: placeOf(path, settings), maxBytes, missing }, signal);
  }
}
