import type { Duplex } from 'node:stream';
import { systemCode } from '../base/errors.js';

/** What is not even HTTP, or never comes to an end, gets JSON as well; the connection is closed. */
export function answerBrokenRequest(error: Error, socket: Duplex): void {
  if (!socket.writable || systemCode(error) === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] = answerTo(systemCode(error));
  const body = JSON.stringify({ message, ok: false });
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function answerTo(code: string | undefined): readonly [status: string, message: string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return ['431 Request Header Fields Too Large', 'The headers of the request are too large.'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['408 Request Timeout', 'The request did not arrive in time.'];
    default:
      return ['400 Bad Request', 'The request is not valid HTTP.'];
  }
}
