import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CrawlerError, messageOf } from '../../base/errors.js';

/** How the search engine is reached: the connection part of the `engine` settings. */
export interface ElasticConnection {
  readonly urls: readonly string[];
  /** The encoded key: what follows `Authorization: ApiKey`. */
  readonly apiKey?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** PEM (one or more certificates) or DER. When set, only these are trusted. */
  readonly caCertificatePath?: string | undefined;
  readonly sslVerification: boolean;
  /** Put between host and path of every request, for a proxy. */
  readonly pathPrefix?: string | undefined;
  readonly requestTimeoutMs?: number | undefined;
}

export interface TlsTrust {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string;
}

/** The nodes without credentials, so that they can be printed. Throws `settings_invalid` when an entry is not a URL. */
export function nodeUrls(connection: ElasticConnection): readonly URL[] {
  const prefix = (connection.pathPrefix ?? '').replace(/^\/+|\/+$/g, '');
  const nodes = new Map<string, URL>();
  for (const text of connection.urls) {
    const url = parseUrl(text);
    const folder = url.pathname.replace(/\/+$/, '');
    const node = new URL(prefix === '' ? `${folder}/` : `${folder}/${prefix}/`, url.origin);
    nodes.set(node.href, node);
  }
  if (nodes.size === 0) {
    throw new CrawlerError('settings_invalid', 'engine.urls is empty: name at least one URL of the search engine.', {
      subject: 'engine.urls',
    });
  }
  return [...nodes.values()];
}

/** API key, user and password, or what the first URL with credentials carries, in this order. */
export function credentialsOf(
  connection: ElasticConnection,
): { apiKey: string } | { username: string; password: string } | undefined {
  const { apiKey, username, password } = connection;
  if (isGiven(apiKey)) return { apiKey };
  if (isGiven(username)) return { username, password: password ?? '' };
  const url = connection.urls.map(parseUrl).find((each) => each.username !== '');
  if (url === undefined) return undefined;
  return { username: decoded(url.username), password: decoded(url.password) };
}

export function tlsTrust(connection: ElasticConnection): TlsTrust {
  if (!connection.sslVerification) return { rejectUnauthorized: false };
  if (!isGiven(connection.caCertificatePath)) return { rejectUnauthorized: true };
  return { rejectUnauthorized: true, ca: readCertificates(connection.caCertificatePath) };
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  const shown = text.replace(/\/\/.*@/s, '//');
  throw new CrawlerError(
    'settings_invalid',
    `[${shown}] in engine.urls is not a URL of a search engine: write it as http://host:9200 or https://host:9200.`,
    { subject: 'engine.urls' },
  );
}

/** A percent sign that encodes nothing stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readCertificates(path: string): string {
  try {
    const bytes = readFileSync(path);
    const isPem = bytes.includes('-----BEGIN CERTIFICATE-----');
    return isPem ? bytes.toString('latin1') : new X509Certificate(bytes).toString();
  } catch (error) {
    throw new CrawlerError(
      'settings_invalid',
      `The certificate file [${path}] of engine.ca_certificate cannot be used (${messageOf(error)}): ` +
        'give the path of a PEM or DER file with the certificate of the authority.',
      { subject: path, cause: error },
    );
  }
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
