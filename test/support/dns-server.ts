import { Resolver } from 'node:dns';
import dns2 from 'dns2';
import type { Resolve } from '../../src/source/address-guard.js';

/**
 * A name server on 127.0.0.1 whose answers a test writes: for each question about a name the next list of addresses, the
 * last one for ever. Nothing may be remembered of an answer (TTL 0).
 */
export class DnsServer {
  /** Names that were asked for, in order. */
  readonly asked: string[] = [];
  readonly #server: ReturnType<typeof dns2.createServer>;
  readonly #resolver = new Resolver();

  private constructor(answers: Readonly<Record<string, readonly (readonly string[])[]>>) {
    this.#server = dns2.createServer({
      udp: true,
      handle: (request, send) => {
        const response = dns2.Packet.createResponseFromRequest(request);
        const name = request.questions[0]?.name ?? '';
        const lists = answers[name] ?? [];
        const times = this.asked.filter((each) => each === name).length;
        this.asked.push(name);
        for (const address of lists[Math.min(times, lists.length - 1)] ?? []) {
          const record = new dns2.Packet.Resource(name, dns2.Packet.TYPE.A, dns2.Packet.CLASS.IN, 0);
          response.answers.push(Object.assign(record, { address }));
        }
        void send(response);
      },
    });
  }

  static async start(answers: Readonly<Record<string, readonly (readonly string[])[]>>): Promise<DnsServer> {
    const server = new DnsServer(answers);
    await server.#server.listen({ udp: { port: 0, address: '127.0.0.1' } });
    const { port } = server.#server.addresses().udp!;
    server.#resolver.setServers([`127.0.0.1:${port}`]);
    return server;
  }

  /** Looks names up at this server, as a machine does that uses it. */
  get resolve(): Resolve {
    return (host, done) => {
      this.#resolver.resolve4(host, (error, addresses) => {
        done(
          error,
          addresses.map((address) => ({ address, family: 4 })),
        );
      });
    };
  }

  async stop(): Promise<void> {
    this.#resolver.cancel();
    await this.#server.close();
  }
}
