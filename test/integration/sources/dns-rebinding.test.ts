import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { AddressPolicy } from '../../../src/source/address-policy.js';
import { HttpFetch } from '../../../src/source/http/http-fetch.js';
import { Spool } from '../../../src/source/spool.js';
import { DnsServer } from '../../support/dns-server.js';
import { readContent } from '../../support/read-content.js';

/**
 * A name whose owner changes what it resolves to between one question and the next: an outer server, then one inside.
 * Both are real servers on one port, and the name server is a real one.
 */
const OUTER = '127.0.0.1';
const INNER = '127.0.0.2';
const policy = new AddressPolicy({ allow: [], deny: [INNER], exposed: false });

let folder: string;
let dns: DnsServer | undefined;
const servers: Server[] = [];
const connections: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rebinding-'));
});

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  await dns?.stop();
  connections.length = 0;
  rmSync(folder, { recursive: true });
});

async function listen(address: string, port: number): Promise<number> {
  const server = createServer((request, response) => {
    const location = request.url === '/redirect' ? { location: '/secret.txt' } : undefined;
    response.writeHead(location === undefined ? 200 : 302, location).end(`from ${address}`);
  });
  server.on('connection', () => connections.push(address));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  return (server.address() as AddressInfo).port;
}

/** Fetches from a name that resolves to these lists, one after the other. */
async function fetchFrom(path: string, ...answers: (readonly string[])[]): Promise<string> {
  const port = await listen(OUTER, 0);
  await listen(INNER, port);
  dns = await DnsServer.start({ 'rebinding.example': answers });
  const opener = new HttpFetch({ policy, spool: new Spool(folder, 'requests'), maxBytes: 1000, resolve: dns.resolve });
  const { signal } = new AbortController();
  const target = await opener.open({ url: `http://rebinding.example:${port}${path}` }, signal);
  const bytes = await readContent(target.content);
  await target.close();
  return bytes.toString();
}

test('what was checked is what is connected to: the name is asked for once', async () => {
  expect(await fetchFrom('/secret.txt', [OUTER], [INNER])).toBe(`from ${OUTER}`);
  expect([dns?.asked, connections]).toEqual([['rebinding.example'], [OUTER]]);
});

test('a name that has moved inside by the next hop is refused there, and nothing inside is connected to', async () => {
  await expect(fetchFrom('/redirect', [OUTER], [INNER])).rejects.toMatchObject({ code: 'denied' });
  expect([dns?.asked, connections]).toEqual([['rebinding.example', 'rebinding.example'], [OUTER]]);
});

test('an address inside among several is enough to refuse them all', async () => {
  await expect(fetchFrom('/secret.txt', [OUTER, INNER])).rejects.toMatchObject({ code: 'denied' });
  expect(connections).toEqual([]);
});

test.each([['169.254.169.254'], ['0.0.0.0']])('a name that resolves to %s is refused', async (address) => {
  await expect(fetchFrom('/secret.txt', [address])).rejects.toMatchObject({ code: 'denied' });
  expect(connections).toEqual([]);
});
