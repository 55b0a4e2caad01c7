import { connect as connectTcp, type Socket } from 'node:net';
import ssh2, { type AnyAuthMethod, type Client, type ClientChannel, type ConnectConfig } from 'ssh2';
import { CrawlerError } from '../../base/errors.js';
import { checkLiteral, guardedLookup } from '../address-guard.js';
import { within } from '../deadline.js';
import { readPrivateKey } from './private-key.js';
import { levelOf, openFault } from './ssh-fault.js';
import { addressOf } from './ssh-address.js';
import type { SshServer } from './ssh-server.js';

/**
 * One SSH connection, logged in, that carries the channels of a source. It closes itself when the last channel is given
 * up, and does not keep the program up while all of them rest.
 */
export class SshConnection {
  readonly #server: SshServer;
  readonly #client: Client;
  readonly #socket: Socket;
  /** Those that use a channel right now. */
  readonly #users = new Set<object>();
  /** Channels that are open, or about to be. */
  #channels = 0;
  #alive = true;
  #gathering = false;
  #heardAt = performance.now();

  private constructor(server: SshServer, client: Client, socket: Socket) {
    this.#server = server;
    this.#client = client;
    this.#socket = socket;
    socket.on('data', () => {
      this.#heardAt = performance.now();
    });
    client.on('close', () => {
      this.#alive = false;
    });
    // A connection that breaks while it is idle fails no request; its channels detect it.
    client.on('error', () => {
      this.#alive = false;
    });
  }

  /** Rejects with `denied` (login, host key), `settings_invalid` (private key) or `unavailable`. */
  static async open(server: SshServer, signal: AbortSignal): Promise<SshConnection> {
    const client = new ssh2.Client();
    const { host, port, guard, hostKeys, timeouts } = server;
    const { methods, tried } = await authentication(server);
    const serverHostKey = await hostKeys.algorithms(server);
    checkLiteral(guard, host);
    // The client listens to the socket before it can fail: nothing may be waited for in between.
    const socket = connectTcp({ host, port, lookup: guardedLookup(guard) });
    socket.setNoDelay(true);
    const login = logIn(server, client, { sock: socket, authHandler: [...methods], algorithms: { serverHostKey } });
    try {
      await within(login, timeouts.connectMs, signal, () => tooLate(server));
      return new SshConnection(server, client, socket);
    } catch (error) {
      socket.destroy();
      throw openFault(server, tried, error);
    }
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Milliseconds since the last byte came. */
  get silentMs(): number {
    return performance.now() - this.#heardAt;
  }

  /** A channel with an SFTP server at its end. Servers allow a limited number of them. */
  async openChannel(signal: AbortSignal): Promise<ClientChannel> {
    const opened = new Promise<ClientChannel>((resolve, reject) => {
      this.#client.subsys('sftp', (error, channel) => {
        if (error === undefined) resolve(channel);
        else reject(error);
      });
    });
    this.#channels += 1;
    this.#socket.ref();
    try {
      const { connectMs } = this.#server.timeouts;
      return await within(opened, connectMs, signal, () => tooLate(this.#server));
    } catch (error) {
      // A channel that comes too late is of no use to anybody.
      opened.then((channel) => channel.end()).catch(() => undefined);
      this.#leave();
      if (!this.#alive) throw openFault(this.#server, '', new Error('the connection broke off'));
      throw openFault(this.#server, '', error);
    }
  }

  /** What is sent until the event loop comes round leaves together: a request costs less than a call of the system. */
  gather(): void {
    if (this.#gathering) return;
    this.#gathering = true;
    this.#socket.cork();
    setImmediate(() => {
      this.#gathering = false;
      this.#socket.uncork();
    });
  }

  wake(user: object): void {
    this.#users.add(user);
    this.#socket.ref();
  }

  rest(user: object): void {
    this.#users.delete(user);
    if (this.#users.size === 0) this.#socket.unref();
  }

  /** The user's channel is closed. */
  release(user: object): void {
    this.#users.delete(user);
    this.#leave();
  }

  close(): void {
    this.#alive = false;
    this.#client.end();
    this.#socket.destroy();
  }

  #leave(): void {
    this.#channels -= 1;
    if (this.#channels === 0) this.close();
  }
}

type LoginOptions = Pick<ConnectConfig, 'sock' | 'authHandler' | 'algorithms'>;

function logIn(server: SshServer, client: Client, options: LoginOptions): Promise<void> {
  const { hostKeys, user, host, port } = server;
  return new Promise((resolve, reject) => {
    let refusal: unknown;
    let newKey: Buffer | undefined;
    client.once('ready', () => {
      const remembering = newKey === undefined ? Promise.resolve() : hostKeys.remember(server, newKey);
      remembering.then(resolve, reject);
    });
    client.on('error', (error) => {
      // The client continues with the next method.
      if (levelOf(error) !== 'agent') reject(refusal instanceof Error ? refusal : error);
    });
    client.once('close', () => reject(new Error('the connection broke off')));
    client.connect({
      ...options,
      host,
      port,
      username: user,
      readyTimeout: 0,
      hostVerifier: (key: Buffer, verify: (trusted: boolean) => void) => {
        hostKeys.judge(server, key).then(
          ({ isNew }) => {
            if (isNew) newKey = key;
            verify(true);
          },
          (error: unknown) => {
            refusal = error;
            verify(false);
          },
        );
      },
    });
  });
}

interface Authentication {
  readonly methods: readonly AnyAuthMethod[];
  /** For people. */
  readonly tried: string;
}

/**
 * What is configured is used: the key, then the password; the agent only when there is neither. The passphrase of a key
 * stays here: it is no password that the server should see.
 */
async function authentication({ user: username, password, pemPath }: SshServer): Promise<Authentication> {
  const methods: AnyAuthMethod[] = [];
  const tried: string[] = [];
  const agent = process.env['SSH_AUTH_SOCK'];
  let isPassphrase = false;
  if (pemPath !== undefined) {
    const { key, encrypted } = await readPrivateKey(pemPath, password);
    methods.push({ type: 'publickey', username, key });
    tried.push('private key');
    isPassphrase = encrypted;
  }
  if (password !== undefined && !isPassphrase) {
    methods.push({ type: 'password', username, password });
    methods.push({
      type: 'keyboard-interactive',
      username,
      prompt: (_name, _instructions, _language, prompts, finish) => finish(prompts.map(() => password)),
    });
    tried.push('password');
  }
  if (methods.length === 0 && agent !== undefined) {
    methods.push({ type: 'agent', username, agent });
    tried.push('agent');
  }
  if (methods.length === 0) methods.push({ type: 'none', username });
  return {
    methods,
    tried: tried.length === 0 ? 'nothing, since there is no password, key or agent' : tried.join(', '),
  };
}

function tooLate(server: SshServer): CrawlerError {
  const { user, host, port, timeouts } = server;
  return new CrawlerError(
    'unavailable',
    `Failed to open SSH session to ${user}@${host}:${port}: the server does not answer within ${timeouts.connectMs / 1000} seconds.`,
    { subject: addressOf(server) },
  );
}
