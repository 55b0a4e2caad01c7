import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import { candidatesFor } from '../../../src/extract/runtime/isolation/candidates.js';
import { Isolation } from '../../../src/extract/runtime/isolation/isolation.js';
import type { SandboxBackend } from '../../../src/extract/runtime/isolation/sandbox-backend.js';
import { isCapable, Setpriv } from '../../../src/extract/runtime/isolation/setpriv.js';
import { ExtractionPool } from '../../../src/extract/runtime/pool/extraction-pool.js';
import { requestFor } from '../../support/extraction-request.js';
import { writeHostileSandbox, type HostileTargets } from '../../support/hostile-sandbox.js';
import { findProgram } from '../../support/program.js';
import { tempDir } from '../../support/temp-dir.js';

/**
 * A format that tries to escape, in every kind of isolation, with the real pool and broker. docs/security.md says what each kind
 * keeps it from: an attempt that succeeds and should not fails here, and so does one that should succeed and does not, because
 * then the page is wrong.
 */
const root = tempDir();
const programFolder = join(root, 'program');
const folder = join(root, 'folder');
const abstractSocket = `crawler-hostile-${process.pid}`;
const servers: Server[] = [];
let module: string;
let targets: HostileTargets;

async function listening(where: number | string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(where, done));
  return server;
}

beforeAll(async () => {
  mkdirSync(programFolder);
  mkdirSync(folder);
  symlinkSync(join(folder, 'secret.txt'), join(programFolder, 'link-to-secret'));
  module = writeHostileSandbox(programFolder);
  process.env['HOSTILE_SECRET'] = 'secret';
  const { port } = (await listening(0)).address() as AddressInfo;
  await listening(join(folder, 'listener.sock'));
  await listening(`\0${abstractSocket}`);
  targets = { folder, parent: process.pid, port, abstractSocket };
});

afterAll(() => {
  delete process.env['HOSTILE_SECRET'];
  for (const server of servers) server.close();
});

/** The attempts of a document that succeed, and how many it has made. */
async function escapes(
  backend: SandboxBackend | undefined,
): Promise<{ readonly got: string[]; readonly all: string[] }> {
  for (const name of ['secret.txt', 'victim.txt', 'deleted.txt']) writeFileSync(join(folder, name), 'HOSTILE_SECRET');
  const candidates = backend === undefined ? [] : [{ name: backend.name, open: () => backend }];
  const isolation = new Isolation('best', silentLogger, candidates);
  const pool = new ExtractionPool({ size: 1, logger: silentLogger, sandboxModule: module, isolation });
  try {
    const request = requestFor('hostile.txt', JSON.stringify(targets));
    const { text, problem } = await pool.extract(request, new AbortController().signal);
    expect(problem).toBeUndefined();
    const results = Object.entries(JSON.parse(text) as Record<string, string>);
    return {
      got: results.filter(([, result]) => result === 'got').map(([name]) => name),
      all: results.map(([name]) => name),
    };
  } finally {
    await pool.close();
  }
}

/** The same without Node's permission model: what the system alone keeps it from, whatever code the process runs. */
function withoutPermissions(backend: SandboxBackend): SandboxBackend {
  const { name, tool, startFlags } = backend;
  return {
    ...{ name, tool, startFlags, permissions: [], programs: undefined },
    wrap: (command, firstDescriptor) => backend.wrap(command, firstDescriptor),
    inspect: (pid, report) => backend.inspect(pid, report),
  };
}

const NETWORK = [
  ...['connect', 'listen', 'send a datagram', 'connect to a socket file', 'connect to an abstract socket', 'fetch'],
  ...['http/2', 'look up a name'],
];
const SIGNALS = ['signal the parent', 'signal everybody', 'debug the parent', 'priority of the parent'];
/** Nobody can do these: the environment is made for the process, and a channel is no file. */
const NEVER = ['secrets in the environment', 'reopen a channel for writing'];

test('without isolation a document may do what the crawler may', async () => {
  const { got, all } = await escapes(undefined);
  expect(got).toEqual(all.filter((name) => !NEVER.includes(name)));
}, 60_000);

test('Node alone leaves network, signals, and links inside the program', async () => {
  const backend = candidatesFor('best').at(-1)?.open(module);
  expect(backend?.name).toBe('node');
  const { got } = await escapes(backend);
  const hasNetwork = !process.allowedNodeEnvironmentFlags.has('--allow-net');
  expect(got).toEqual(['read a link in the package', ...(hasNetwork ? NETWORK : []), ...SIGNALS]);
}, 60_000);

/** All kinds of bubblewrap for this user; as root there are two. */
const bubblewraps = candidatesFor('strict').filter(({ name }) => name === 'bubblewrap');

test('bubblewrap leaves nothing, even to native code', async () => {
  expect(bubblewraps).toHaveLength(process.getuid?.() === 0 ? 2 : 1);
  for (const candidate of bubblewraps) {
    const backend = candidate.open(module);
    expect(backend?.tool).toMatch(/bwrap$/);
    if (backend === undefined) continue;
    expect((await escapes(backend)).got).toEqual([]);
    expect((await escapes(withoutPermissions(backend))).got).toEqual([]);
  }
}, 120_000);

/** Debian 12 has none that is new enough: then there is nothing to be tested, and `crawler doctor` does not name it. */
const setpriv = [findProgram('setpriv')].filter((path) => path !== undefined && isCapable(path));

test('setpriv with Landlock leaves nothing, and to native code the names and sizes of files', async () => {
  for (const path of setpriv) {
    const backend = new Setpriv(path ?? '', module);
    expect((await escapes(backend)).got).toEqual([]);
    expect((await escapes(withoutPermissions(backend))).got).toEqual(['size of another file']);
  }
  expect(candidatesFor('strict').map(({ name }) => name)).toContain('setpriv');
}, 120_000);
