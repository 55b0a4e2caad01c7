import { CrawlerError } from '../../base/errors.js';
import { openGuard } from '../address-guard.js';
import { defaultTimeouts } from '../deadline.js';
import type { FetchOpener, FetchParameters, FetchTarget } from '../fetch.js';
import { requiredText } from '../fetch-parameters.js';
import { openFetchedFile } from '../fetched-file.js';
import { optionalText } from '../server-parameters.js';
import type { FetchContext } from '../source-description.js';
import { nameOf } from './s3-path.js';
import { S3Source } from './s3-source.js';

/** `{"type":"s3","s3":{"url":…,"bucket":…,"object":…,"access_key":…,"secret_key":…}}`: one object. */
export class S3Fetch implements FetchOpener {
  readonly type = 's3';
  readonly #context: FetchContext;

  constructor(context: FetchContext) {
    this.#context = context;
  }

  async open(parameters: FetchParameters, signal: AbortSignal): Promise<FetchTarget> {
    const { settings, guard, maxBytes } = this.#context;
    const { s3 } = settings.fs;
    const required = (name: string, shown: string): string =>
      requiredText('s3', parameters, name, `S3 ${shown} is missing`);
    const url = required('url', 'URL');
    const bucket = required('bucket', 'bucket');
    const object = required('object', 'object');
    const login = {
      kind: 'keys' as const,
      accessKey: required('access_key', 'access key'),
      secretKey: required('secret_key', 'secret key'),
      sessionToken: optionalText('s3', parameters, 'session_token'),
    };
    const endpoint = endpointOf(url);
    const ofJob = s3.endpoint !== undefined && new URL(s3.endpoint).origin === endpoint.origin;
    const source = new S3Source(
      {
        endpoint,
        bucket,
        region: regionOf(endpoint) ?? s3.region,
        login,
        pathStyle: true,
        guard: ofJob ? openGuard : guard,
        timeouts: defaultTimeouts,
      },
      1,
    );
    const path = `/${object.split('/').map(nameOf).join('/')}`;
    const missing = `Can not get file size for object ${object} of bucket ${bucket}: The specified key does not exist`;
    const place = { filename: object, real: object, virtual: object };
    return await openFetchedFile(source, { path, place, maxBytes, missing }, signal);
  }
}

function endpointOf(url: string): URL {
  const endpoint = URL.canParse(url) ? new URL(url) : undefined;
  if (endpoint !== undefined && (endpoint.protocol === 'http:' || endpoint.protocol === 'https:')) return endpoint;
  throw new CrawlerError('usage', `Invalid url [${url.replace(/\/\/[^/?#]*@/, '//')}]`);
}

/** Addresses of Amazon name the region. */
function regionOf({ hostname }: URL): string | undefined {
  return /(?:^|\.)s3[.-]([a-z]{2}(?:-[a-z]+)+-\d)\.amazonaws\.com(?:\.cn)?$/.exec(hostname)?.[1];
}
