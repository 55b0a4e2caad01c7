import { createHash, createHmac } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { findProgram, freePort, ServerProgram } from './program.js';
import { serverFolder, ServerInFolder } from './server-in-folder.js';
import type { SourceTree } from './source-tree.js';

/** versitygw, an S3 service over a folder of this machine, with one bucket. */
export const BUCKET = 'documents';
export const ACCESS_KEY = 'test-access';
export const SECRET_KEY = 'test-secret';
export const REGION = 'eu-test-1';

export class S3Server extends ServerInFolder {
  protected readonly program: ServerProgram;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });

  private constructor(folder: string, port: number) {
    super(folder, port);
    const data = join(folder, 'data');
    mkdirSync(data);
    const args = ['--access', ACCESS_KEY, '--secret', SECRET_KEY, '--region', REGION, '--port', `127.0.0.1:${port}`];
    this.program = new ServerProgram(findProgram('versitygw') ?? 'versitygw', [...args, 'posix', data], port);
  }

  static async start(): Promise<S3Server> {
    const server = new S3Server(serverFolder('s3'), await freePort());
    await server.up();
    await server.#send('PUT', '', '');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  tree(prefix: string): SourceTree {
    const keyOf = (path: string): string => `${prefix}${path}`;
    return {
      root: `/${prefix.replace(/\/$/, '')}`,
      write: async (path, bytes) => {
        await this.put(keyOf(path), bytes);
        return undefined;
      },
      remove: (path) => this.#send('DELETE', keyOf(path), ''),
    };
  }

  put(key: string, bytes: Uint8Array | string): Promise<void> {
    return this.#send('PUT', key, bytes);
  }

  override async stop(): Promise<void> {
    this.#agent.destroy();
    await super.stop();
  }

  /** Signed by hand, beside the client that is tested. */
  async #send(method: string, key: string, body: Uint8Array | string): Promise<void> {
    const path = `/${BUCKET}${key === '' ? '' : `/${key.split('/').map(encodeStrictly).join('/')}`}`;
    const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
    const day = time.slice(0, 8);
    const hash = createHash('sha256').update(body).digest('hex');
    const host = `127.0.0.1:${this.port}`;
    const names = 'host;x-amz-content-sha256;x-amz-date';
    const canonical = `${method}\n${path}\n\nhost:${host}\nx-amz-content-sha256:${hash}\nx-amz-date:${time}\n\n${names}\n${hash}`;
    const scope = `${day}/${REGION}/s3/aws4_request`;
    const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${createHash('sha256').update(canonical).digest('hex')}`;
    let signing: string | Buffer = `AWS4${SECRET_KEY}`;
    for (const step of [day, REGION, 's3', 'aws4_request'])
      signing = createHmac('sha256', signing).update(step).digest();
    const signature = createHmac('sha256', signing).update(text).digest('hex');
    const headers = {
      host,
      'x-amz-content-sha256': hash,
      'x-amz-date': time,
      'content-length': Buffer.byteLength(body),
      authorization: `AWS4-HMAC-SHA256 Credential=${ACCESS_KEY}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
    };
    await new Promise<void>((resolve, reject) => {
      const sending = request(
        { method, host: '127.0.0.1', port: this.port, path, headers, agent: this.#agent },
        (response) => {
          response.resume();
          response.on('end', () => {
            if ((response.statusCode ?? 500) < 300) resolve();
            else reject(new Error(`${method} ${key}: ${response.statusCode ?? ''}`));
          });
        },
      );
      sending.on('error', reject);
      sending.end(body);
    });
  }
}

function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}
