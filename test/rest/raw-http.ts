import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** HTTP by hand: requests that no client would send, cut where the test wants. */
export interface RawAnswer {
  readonly status: number;
  /** The server said «100 Continue» first. */
  readonly continued: boolean;
  readonly headers: string;
  readonly body: string;
}

export function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.on('error', reject);
  });
}

/** Sends the bytes and reads until the server closes or the answer is complete. */
export async function exchange(url: string, request: string | Buffer): Promise<RawAnswer> {
  const socket = await open(url);
  const answer = readAnswer(socket);
  socket.write(request);
  const result = await answer;
  socket.destroy();
  return result;
}

export function readAnswer(socket: Socket): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let text = '';
    const finish = (): void => {
      const [head = '', body = ''] = text.replace(/^HTTP\/1\.1 100 [\s\S]*?\r\n\r\n/, '').split(/\r\n\r\n([\s\S]*)/);
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0);
      resolve({ status, continued: text.startsWith('HTTP/1.1 100 '), headers: head, body });
    };
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      const length = /content-length: (\d+)\r\n[\s\S]*?\r\n\r\n([\s\S]*)/i.exec(text);
      if (length !== null && Buffer.byteLength(length[2] ?? '') >= Number(length[1])) finish();
    });
    socket.on('close', finish);
    socket.on('error', (error) => (text === '' ? reject(error) : finish()));
  });
}

export const BOUNDARY = 'test-boundary';

/** A multipart body from the disposition and the bytes of each part. */
export function multipart(
  parts: readonly { readonly disposition: string | Buffer; readonly content: string; readonly type?: string }[],
): Buffer {
  const pieces = parts.flatMap(({ disposition, content, type }) => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: `),
    Buffer.from(disposition),
    Buffer.from(`\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n${content}\r\n`),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

export const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
