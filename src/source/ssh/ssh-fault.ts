import { CrawlerError, messageOf, systemCode, type ErrorCode } from '../../base/errors.js';
import { networkFault } from '../network-fault.js';
import { statusCodes } from './sftp-packets.js';
import { addressOf } from './ssh-address.js';
import type { SshServer } from './ssh-server.js';

/** The server answers a request with a status that is not OK. */
export class SftpStatusError extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(text === '' ? `status ${status}` : text);
    this.status = status;
  }
}

/** What is not listed concerns this path alone, and trying again at once will not help. */
const CODES: Readonly<Partial<Record<number, ErrorCode>>> = {
  [statusCodes.noSuchFile]: 'not_found',
  [statusCodes.noConnection]: 'unavailable',
  [statusCodes.connectionLost]: 'unavailable',
};

/** The failure of a request about a path, as a sentence. */
export function pathFault(server: SshServer, path: string, error: unknown): CrawlerError {
  if (error instanceof CrawlerError) return error;
  const place = `[${path}] on ${addressOf(server)}`;
  if (!(error instanceof SftpStatusError)) return networkFault(`${place} cannot be read`, path, error);
  const code = CODES[error.status] ?? 'denied';
  const sentence =
    code === 'not_found'
      ? `${place} does not exist (any more).`
      : `${place} cannot be read: the server answers [${error.message}].`;
  return new CrawlerError(code, sentence, { cause: error, subject: path });
}

/** Connecting or logging in failed. `tried` says how the login was attempted. */
export function openFault(server: SshServer, tried: string, error: unknown): CrawlerError {
  if (error instanceof CrawlerError) return error;
  const { user, host, port } = server;
  const what = `Failed to open SSH session to ${user}@${host}:${port}`;
  if (levelOf(error) !== 'client-authentication') return networkFault(what, addressOf(server), error);
  return new CrawlerError(
    'denied',
    `${what}: the server refuses the login (tried: ${tried}). Check server.username, server.password and server.pem_path.`,
    { cause: error, subject: addressOf(server) },
  );
}

/** Where in the client an error arose. */
export function levelOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'level' in error && typeof error.level === 'string'
    ? error.level
    : undefined;
}

/** A private key that cannot be used. Its content stays out of the message. */
export function keyFault(path: string, error: unknown): CrawlerError {
  const missing = systemCode(error) === 'ENOENT';
  const why = missing ? 'the file does not exist' : messageOf(error).replace(/[.\s]+$/, '');
  return new CrawlerError('settings_invalid', `The private key [${path}] cannot be used: ${why}.`, {
    cause: error,
    subject: path,
  });
}
