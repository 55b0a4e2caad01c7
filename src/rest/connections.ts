import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Which connections are waiting for an answer. Node can close idle ones itself, but takes a connection that has never sent
 * a request for a busy one, and would let it hold up the end of the service.
 */
export class Connections {
  /** Requests under way on each connection. */
  readonly #busy = new Map<Socket, number>();
  #closing = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#busy.set(socket, 0);
      socket.once('close', () => this.#busy.delete(socket));
    });
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#count(request.socket, 1);
      if (this.#closing) response.setHeader('Connection', 'close');
      response.once('close', () => this.#count(request.socket, -1));
    });
  }

  /** Closes what idles, and everything else as soon as it has its answer. */
  drain(): void {
    this.#closing = true;
    for (const [socket, requests] of this.#busy) if (requests === 0) socket.destroy();
  }

  #count(socket: Socket, change: number): void {
    const requests = (this.#busy.get(socket) ?? 0) + change;
    if (!socket.destroyed) this.#busy.set(socket, requests);
    if (this.#closing && requests === 0) socket.destroySoon();
  }
}
