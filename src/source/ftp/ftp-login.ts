import { isIP } from 'node:net';
import { Client } from 'basic-ftp';
import { CrawlerError, throwIfCancelled } from '../../base/errors.js';
import { checkLiteral, guardedAddress, guardedLookup } from '../address-guard.js';
import { LinkedSignal, within } from '../deadline.js';
import { openFault } from './ftp-fault.js';
import type { FtpServer } from './ftp-server.js';

/** What the server said that it can do. */
export interface FtpAbilities {
  /** MLSD and MLST: listings made for programs. */
  readonly mlsd: boolean;
  /** The server agrees to UTF-8. */
  readonly utf8: boolean;
}

export interface FtpLogin {
  readonly client: Client;
  readonly abilities: FtpAbilities;
  /** Where the server puts us, as bytes: what a relative path starts from. */
  readonly home: string;
}

const FACTS = 'type;size;modify;unix.mode;unix.owner;unix.group;unix.ownername;unix.groupname;';

/**
 * A control connection, logged in and set to binary transfers. Text goes over it as bytes, one character each: what they
 * mean is decided for every name by itself.
 */
export async function logIn(server: FtpServer, signal: AbortSignal): Promise<FtpLogin> {
  const client = new Client(0);
  client.ftp.encoding = 'latin1';
  const attempt = new LinkedSignal(signal);
  try {
    const conversation = converse(client, server, attempt.signal);
    return await within(conversation, server.timeouts.connectMs, signal, () => tooLate(server));
  } catch (error) {
    attempt.abort(error);
    client.close();
    throw openFault(server, error);
  } finally {
    attempt.release();
  }
}

async function converse(client: Client, server: FtpServer, attempt: AbortSignal): Promise<FtpLogin> {
  await connect(client, server, attempt);
  await client.login(toWire(server.user), toWire(server.password ?? 'anonymous@'));
  const features = await client.features();
  const mlsd = features.has('MLST');
  await client.send('TYPE I');
  const { code } = await client.sendIgnoringError('OPTS UTF8 ON');
  if (mlsd) await client.sendIgnoringError(`OPTS MLST ${FACTS}`);
  if (server.tls !== 'none') {
    await client.send('PBSZ 0');
    await client.send('PROT P');
  }
  const { message } = await client.sendIgnoringError('PWD');
  return { client, abilities: { mlsd, utf8: code < 300 }, home: quotedPath(message) ?? '/' };
}

/** `257 "/with ""quotes"" in it" is the current directory` */
export function quotedPath(reply: string): string | undefined {
  return /^257[ -]"((?:[^"]|"")*)"/.exec(reply)?.[1]?.replaceAll('""', '"');
}

async function connect(client: Client, server: FtpServer, attempt: AbortSignal): Promise<void> {
  const { host, port, guard, tls } = server;
  const names = { host, ...(isIP(host) === 0 ? { servername: host } : {}) };
  if (tls === 'implicit') {
    checkLiteral(guard, host);
    await client.connectImplicitTLS(host, port, { ...names, lookup: guardedLookup(guard) });
    return;
  }
  const address = await guardedAddress(guard, host);
  // Otherwise the client would open itself again after its owner has closed it.
  throwIfCancelled(attempt);
  await client.connect(address, port);
  if (tls === 'explicit') await client.useTLS(names);
}

function tooLate({ user, host, port, timeouts }: FtpServer): CrawlerError {
  return new CrawlerError(
    'unavailable',
    `Can not connect to ${user}@${host}:${port}: the server does not answer within ${timeouts.connectMs / 1000} seconds.`,
    { subject: host },
  );
}

/** A string as the characters that stand for its UTF-8 bytes. */
export function toWire(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
