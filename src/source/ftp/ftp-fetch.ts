import { CrawlerError } from '../../base/errors.js';
import type { JobSettings } from '../../settings/job-settings.js';
import { openGuard, type AddressGuard } from '../address-guard.js';
import { usualPatience } from '../deadline.js';
import type { FetchOpener, FetchParameters, FetchTarget } from '../fetch.js';
import { requiredText } from '../fetch-parameters.js';
import { FetchedFile } from '../fetched-file.js';
import { placeOf, serverParameters, serverPath } from '../server-parameters.js';
import { FtpSource } from './ftp-source.js';

export interface FtpFetchOptions {
  readonly settings: JobSettings;
  /** Judges servers that are not the one of the job. */
  readonly guard: AddressGuard;
  readonly maxBytes: number;
}

const IMPLICIT_TLS_PORT = 990;
const PORT = 21;

/** `{"type":"ftp","ftp":{"path":…}}`: a file of an FTP server, over a connection of its own. */
export class FtpFetch implements FetchOpener {
  readonly type = 'ftp';
  readonly #options: FtpFetchOptions;

  constructor(options: FtpFetchOptions) {
    this.#options = options;
  }

  async open(parameters: FetchParameters, signal: AbortSignal): Promise<FetchTarget> {
    const { settings, guard, maxBytes } = this.#options;
    const path = serverPath(requiredText('ftp', parameters, 'path', 'ftp path is missing'), settings);
    const { host, port, user, password, ofJob } = serverParameters('ftp', parameters, settings);
    if (host === undefined) {
      throw new CrawlerError(
        'usage',
        "Failed to connect to FTP server: hostname can't be null. Give it in the request, or set server.hostname.",
      );
    }
    const tls = settings.server.ftps;
    const source = new FtpSource({
      followSymlinks: true,
      connections: 1,
      server: {
        host,
        port: port ?? (tls === 'implicit' ? IMPLICIT_TLS_PORT : PORT),
        user: user ?? 'anonymous',
        password,
        tls,
        guard: ofJob ? openGuard : guard,
        patience: usualPatience,
      },
    });
    const file = await FetchedFile.open(
      source,
      path,
      { maxBytes, missing: `File [${path}] does not exist on FTP server` },
      signal,
    );
    const place = placeOf(path, settings);
    return { source: file, path, filename: place.filename, place };
  }
}
