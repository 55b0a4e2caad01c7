import { FTPError } from 'basic-ftp';
import { CrawlerError, messageOf, systemCode, type ErrorCode } from '../../base/errors.js';
import { networkFault } from '../network-fault.js';
import { addressOf, type FtpServer } from './ftp-server.js';

/** Replies after which the same command may succeed soon: too many users, data connection failed or broken. */
const PASSING = new Set([421, 425, 426]);

/** What a failed command says about a path. `unsure`: the server does not tell a missing file from a forbidden one. */
export type FtpReplyKind = 'passing' | 'login' | 'not_found' | 'denied' | 'unsupported' | 'unsure';

/** Undefined when it is not the server that refuses, but the connection that failed. */
export function replyKindOf(error: unknown): FtpReplyKind | undefined {
  // A reply has a number for a code, a failed connection a name, also where the client wraps it as a reply.
  if (!(error instanceof FTPError) || systemCode(error) !== undefined) return undefined;
  const { code, message } = error;
  if (code >= 500 && code <= 504) return 'unsupported';
  if (PASSING.has(code) || (code === 530 && /too many|maximum|limit/i.test(message))) return 'passing';
  if (code === 530 || code === 532) return 'login';
  return replyKindOfText(code, message);
}

function replyKindOfText(code: number, message: string): FtpReplyKind {
  if (/permission|denied|not allowed|forbidden|access/i.test(message)) return 'denied';
  if (/no such|not found|not exist|cannot find/i.test(message)) return 'not_found';
  return code === 550 ? 'unsure' : 'denied';
}

const CODES: Readonly<Record<FtpReplyKind, ErrorCode>> = {
  passing: 'unavailable',
  login: 'denied',
  not_found: 'not_found',
  denied: 'denied',
  unsupported: 'denied',
  unsure: 'not_found',
};

/** The failure of a command about a path, as a sentence. */
export function pathFault(
  server: FtpServer,
  path: string,
  error: unknown,
  sure?: 'not_found' | 'denied',
): CrawlerError {
  if (error instanceof CrawlerError) return error;
  const kind = replyKindOf(error);
  const place = `[${path}] on ${addressOf(server)}`;
  if (kind === undefined) return networkFault(`${place} cannot be read`, path, error);
  const code = sure ?? CODES[kind];
  const answer = shortened(messageOf(error));
  const sentence =
    code === 'not_found'
      ? `${place} does not exist (any more).`
      : `${place} cannot be read: the server answers [${answer}].`;
  return new CrawlerError(code, sentence, { cause: error, subject: path });
}

/** Connecting or logging in failed. */
export function openFault(server: FtpServer, error: unknown): CrawlerError {
  if (error instanceof CrawlerError) return error;
  const address = addressOf(server);
  const kind = replyKindOf(error);
  const answer = shortened(messageOf(error));
  if (kind === 'login') {
    return new CrawlerError(
      'denied',
      `Please check ftp user or password: ${address} refuses the login of [${server.user}] with [${answer}].`,
      { cause: error, subject: address },
    );
  }
  const what = `Can not connect to ${server.user}@${server.host}:${server.port}`;
  if (kind === undefined) return networkFault(what, address, error);
  const code = kind === 'passing' ? 'unavailable' : 'denied';
  return new CrawlerError(code, `${what}: the server answers [${answer}].`, { cause: error, subject: address });
}

/** Replies may have many lines. */
function shortened(reply: string): string {
  const text = Buffer.from(reply, 'latin1').toString('utf8').replace(/\s+/g, ' ').trim();
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
