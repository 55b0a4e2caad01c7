import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A cable between a client and a server on 127.0.0.1 that a test can cut. It carries TCP and knows nothing of what is
 * said on it. Ports are either mirrored on another address of the loopback network (for FTP, whose server names the port
 * of each transfer), or one port is chosen by the system.
 */
export interface CuttingProxyOptions {
  /** Ports of the server. */
  readonly ports: readonly number[];
  /** Listen on the same ports of this address. Without it: on a free port of 127.0.0.1, for the first port. */
  readonly mirrorOn?: string;
}

/** What happens when this many more bytes have come from the server, on connections to these ports. */
export interface Fault {
  /**
   * `cut`: all connections break, and no new one is made. `hiccup`: all connections break, new ones work. `stall`: bytes
   * stop, connections stay, and new ones carry nothing. `close`: this connection alone ends as if the server had ended it.
   * `tell`: the cable is fine, but `then` is called, which may do something to the server.
   */
  readonly kind: 'cut' | 'hiccup' | 'stall' | 'close' | 'tell';
  readonly afterBytes: number;
  readonly ports?: (port: number) => boolean;
  readonly then?: () => void;
}

export class CuttingProxy {
  readonly #servers: Server[] = [];
  readonly #links = new Set<Link>();
  #fault: Fault | undefined;
  #bytes = 0;
  #down = false;
  #stalled = false;
  #connections = 0;
  port = 0;

  static async start({ ports, mirrorOn }: CuttingProxyOptions): Promise<CuttingProxy> {
    const proxy = new CuttingProxy();
    for (const target of ports) {
      const server = createServer((client) => proxy.#link(client, target));
      proxy.#servers.push(server);
      server.listen(mirrorOn === undefined ? 0 : target, mirrorOn ?? '127.0.0.1');
      await once(server, 'listening');
      if (proxy.port === 0) proxy.port = (server.address() as AddressInfo).port;
    }
    return proxy;
  }

  /** Connections that were made, also those that are gone. */
  get connections(): number {
    return this.#connections;
  }

  /** The server's ports of the connections that are open now. */
  get openPorts(): readonly number[] {
    return [...this.#links].map(({ target }) => target);
  }

  /** Happens once. */
  plan(fault: Fault): void {
    this.#fault = fault;
    this.#bytes = 0;
  }

  /** Breaks what is open and refuses what is new, until `restore`. */
  cut(): void {
    this.#down = true;
    this.breakAll();
  }

  restore(): void {
    this.#down = false;
    this.#stalled = false;
    this.#fault = undefined;
    for (const link of this.#links) link.stalled = false;
  }

  breakAll(): void {
    for (const link of this.#links) link.break();
  }

  async stop(): Promise<void> {
    this.breakAll();
    await Promise.all(
      this.#servers.map(async (server) => {
        server.close();
        await once(server, 'close');
      }),
    );
  }

  #link(client: Socket, target: number): void {
    this.#connections += 1;
    if (this.#down) {
      client.on('error', () => undefined);
      client.resetAndDestroy();
      return;
    }
    const link: Link = new Link(client, target, (length) => this.#judge(link, target, length));
    link.stalled = this.#stalled;
    this.#links.add(link);
    link.onGone(() => this.#links.delete(link));
  }

  /** How many of these bytes still get through. */
  #judge(link: Link, target: number, length: number): number {
    const fault = this.#fault;
    if (link.stalled || link.severed) return 0;
    if (fault === undefined || fault.ports?.(target) === false) return length;
    const left = fault.afterBytes - this.#bytes;
    this.#bytes += length;
    if (length <= left) return length;
    this.#fault = undefined;
    this.#happen(fault, link);
    return fault.kind === 'tell' ? length : Math.max(0, left);
  }

  #happen({ kind, then }: Fault, link: Link): void {
    switch (kind) {
      case 'tell':
        then?.();
        return;
      case 'stall':
        this.#stalled = true;
        for (const each of this.#links) each.stalled = true;
        return;
      case 'close':
        link.severed = true;
        setImmediate(() => link.close());
        return;
      case 'cut':
        this.#down = true;
        break;
      case 'hiccup':
        break;
    }
    for (const each of this.#links) each.severed = true;
    setImmediate(() => this.breakAll());
  }
}

class Link {
  readonly target: number;
  readonly #client: Socket;
  readonly #server: Socket;
  stalled = false;
  /** A cable loses its end, never a piece in the middle: once something was held back, nothing follows. */
  severed = false;

  constructor(client: Socket, target: number, judge: (length: number) => number) {
    const server = connect(target, '127.0.0.1');
    this.target = target;
    this.#client = client;
    this.#server = server;
    server.on('data', (chunk: Buffer) => {
      const length = judge(chunk.length);
      if (length > 0 && !client.write(chunk.subarray(0, length))) server.pause();
    });
    client.on('drain', () => server.resume());
    client.on('data', (chunk: Buffer) => {
      if (!this.stalled && !this.severed && !server.write(chunk)) client.pause();
    });
    server.on('drain', () => client.resume());
    client.on('end', () => server.end());
    server.on('end', () => {
      if (!this.stalled) client.end();
    });
    for (const socket of [client, server]) socket.on('error', () => undefined);
    client.on('close', () => server.destroy());
    server.on('close', () => {
      if (!this.stalled) client.end();
    });
  }

  onGone(gone: () => void): void {
    this.#client.on('close', gone);
  }

  break(): void {
    reset(this.#client);
    reset(this.#server);
  }

  close(): void {
    this.#client.end();
    reset(this.#server);
  }
}

/** A socket that is just saying goodbye cannot be reset, and would stay open without a word. */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
