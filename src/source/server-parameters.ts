import { CrawlerError } from '../base/errors.js';
import { baseName, isWithin, joinPath, normaliseRoot, virtualPath } from '../base/path.js';
import type { JobSettings } from '../settings/job-settings.js';
import type { FetchParameters, FetchedPath } from './fetch.js';
import type { FetchDescription } from './source-description.js';

/** Where a fetch request goes: what it says itself, and the settings of the job (`server.*`) for the rest. */
export interface ServerParameters {
  readonly host: string | undefined;
  /** Undefined: the usual one of the protocol. */
  readonly port: number | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The request goes to the server of the job, whose address and key the job vouches for. */
  readonly ofJob: boolean;
}

type Protocol = 'ftp' | 'ssh';

/** The same, as the members of the request. */
export const serverFetch: Omit<FetchDescription, 'load'> = {
  about: 'What is left out is taken from `server.*` of the job.',
  parameters: {
    path: { type: 'string', required: true },
    hostname: { type: 'string' },
    port: { type: 'integer' },
    username: { type: 'string' },
    password: { type: 'string' },
  },
};

/** Throws `usage` for a member of a wrong type. */
export function serverParameters(
  type: Protocol,
  parameters: FetchParameters,
  { server, fs }: JobSettings,
): ServerParameters {
  const host = optionalText(type, parameters, 'hostname') ?? server.hostname;
  // The port of a job that crawls over the other protocol is that protocol's.
  const jobPort = fs.provider === type || (fs.provider !== 'ftp' && fs.provider !== 'ssh') ? server.port : 0;
  const port = portOf(type, parameters) ?? (jobPort > 0 ? jobPort : undefined);
  return {
    host,
    port,
    user: optionalText(type, parameters, 'username') ?? server.username,
    password: optionalText(type, parameters, 'password') ?? server.password,
    ofJob: host !== undefined && host.toLowerCase() === server.hostname?.toLowerCase(),
  };
}

/** Undefined when the member is absent, null or empty. */
export function optionalText(type: string, parameters: FetchParameters, name: string): string | undefined {
  const value = parameters[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new CrawlerError('usage', `[${type}.${name}] must be a string`);
  return value;
}

function portOf(type: string, parameters: FetchParameters): number | undefined {
  const value = parameters['port'];
  if (value === undefined || value === null || value === '') return undefined;
  const port = typeof value === 'string' ? Number(value) : value;
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new CrawlerError('usage', `[${type}.port] must be a port number`);
  }
  return port === 0 ? undefined : port;
}

/** A path of the server; a relative one starts from `fs.url`. Throws `usage` when there is no such place. */
export function serverPath(path: string, { fs }: JobSettings): string {
  if (path.includes('\0')) throw new CrawlerError('usage', 'The path of the file holds a NUL character');
  if (path.startsWith('/')) return path;
  if (fs.url === '') {
    throw new CrawlerError(
      'usage',
      `Cannot resolve relative path [${path}]: fs.url is not configured. Please use an absolute path starting with '/' or configure fs.url in the job settings.`,
    );
  }
  return joinPath(normaliseRoot(fs.url), path);
}

/** The `path` object of a document that was fetched from a server. */
export function placeOf(path: string, { fs }: JobSettings): FetchedPath {
  const root = normaliseRoot(fs.url);
  const virtual = fs.url !== '' && isWithin(root, path) ? virtualPath(root, path) : path;
  return { filename: baseName(path), real: path, virtual };
}
