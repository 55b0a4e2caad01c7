import { CrawlerError } from '../../base/errors.js';
import { openGuard } from '../address-guard.js';
import { defaultTimeouts } from '../deadline.js';
import type { FetchOpener, FetchParameters, FetchTarget } from '../fetch.js';
import { requiredText } from '../fetch-parameters.js';
import { openFetchedFile } from '../fetched-file.js';
import { optionalText, placeOf, serverPath } from '../server-parameters.js';
import type { FetchContext } from '../source-description.js';
import { serverAt, type WebdavServer } from './webdav-server.js';
import { WebdavSource } from './webdav-source.js';

/** `{"type":"webdav","webdav":{"path":…}}`: a file of a WebDAV share, over a connection of its own. */
export class WebdavFetch implements FetchOpener {
  readonly type = 'webdav';
  readonly #context: FetchContext;

  constructor(context: FetchContext) {
    this.#context = context;
  }

  async open(parameters: FetchParameters, signal: AbortSignal): Promise<FetchTarget> {
    const { settings, maxBytes } = this.#context;
    const path = serverPath(requiredText('webdav', parameters, 'path', 'webdav path is missing'), settings);
    const source = new WebdavSource(this.#server(parameters), 1);
    const missing = `File [${path}] does not exist on WebDAV server`;
    return await openFetchedFile(source, { path, place: placeOf(path, settings), maxBytes, missing }, signal);
  }

  /** The login of the job is for its own server; another one gets what the request says. */
  #server(parameters: FetchParameters): WebdavServer {
    const { settings, guard } = this.#context;
    const own = settings.fs.webdav;
    const address = optionalText('webdav', parameters, 'endpoint') ?? own.endpoint;
    if (address === undefined) {
      throw new CrawlerError(
        'usage',
        'The address of the WebDAV share is missing: give the endpoint in the request, or set fs.webdav.endpoint.',
      );
    }
    if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
      throw new CrawlerError('usage', `Invalid endpoint [${address.replace(/\/\/[^/?#]*@/, '//')}]`);
    }
    const ofJob = own.endpoint !== undefined && new URL(own.endpoint).origin === new URL(address).origin;
    const username = optionalText('webdav', parameters, 'username') ?? (ofJob ? own.username : undefined);
    const password = optionalText('webdav', parameters, 'password') ?? (ofJob ? own.password : undefined);
    return {
      ...serverAt(address, { username, password }),
      guard: ofJob ? openGuard : guard,
      timeouts: defaultTimeouts,
    };
  }
}
