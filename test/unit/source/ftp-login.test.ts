import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openGuard } from '../../../src/source/address-guard.js';
import { logIn } from '../../../src/source/ftp/ftp-login.js';
import type { FtpServer } from '../../../src/source/ftp/ftp-server.js';

/** A server that takes connections and says nothing. */
let mute: Server;
let sockets: Socket[];

beforeEach(async () => {
  sockets = [];
  mute = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
  });
  mute.listen(0, '127.0.0.1');
  await once(mute, 'listening');
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  mute.close();
  await once(mute, 'close');
});

function place(host: string, connectMs = 10_000): FtpServer {
  const { port } = mute.address() as AddressInfo;
  const timeouts = { connectMs, silenceMs: 10_000 };
  return { host, port, user: 'reader', password: 'open sesame', tls: 'none', guard: openGuard, timeouts };
}

test('a login that is given up while the name is still looked up never connects', async () => {
  const leaving = new AbortController();
  const login = logIn(place('localhost'), leaving.signal);
  leaving.abort();
  await expect(login).rejects.toMatchObject({ code: 'cancelled' });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(sockets).toHaveLength(0);
});

test('a server that does not greet is given up, and its connection closed', async () => {
  const { signal } = new AbortController();
  await expect(logIn(place('127.0.0.1', 100), signal)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/^Can not connect to reader@127\.0\.0\.1:\d+: .* within 0\.1 seconds\.$/) as unknown,
  });
  const [socket] = sockets;
  if (socket?.destroyed === false) await once(socket.resume(), 'close');
  expect(sockets).toHaveLength(1);
});
