import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxBackend } from './sandbox-backend.js';

/**
 * What a process tries that a document has taken over: to read and write a file, to connect, to start a program, to signal its
 * parent. It runs without Node's own restrictions, so that the system alone can stop it, and prints what it could do.
 */
const ATTEMPTS = `
const [, path, port, parent] = process.argv;
const fs = require('node:fs');
const possible = [];
const attempt = (name, work) => { try { work(); possible.push(name); } catch {} };
attempt('read files', () => fs.readFileSync(path));
attempt('write files', () => fs.writeFileSync(path, ''));
attempt('start programs', () => { if (require('node:child_process').spawnSync(process.execPath, ['-v']).status !== 0) throw 0; });
attempt('signal other processes', () => process.kill(Number(parent), 0));
const end = (connected) => { if (connected) possible.push('open connections'); console.log('POSSIBLE ' + possible.join(', ')); process.exit(0); };
try { require('node:net').connect(Number(port), '127.0.0.1', () => end(true)).on('error', () => end(false)); } catch { end(false); }
`;
const TIMEOUT_MS = 20_000;

/** What a process can do in spite of this backend, as words; empty when it is isolated. Undefined when it does not start. */
export async function probe(
  backend: SandboxBackend,
): Promise<{ readonly possible: string } | { readonly fault: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'crawler-probe-'));
  const file = join(folder, 'file');
  writeFileSync(file, 'content');
  const server = createServer((socket) => socket.destroy());
  try {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const output = await run(backend, ['-e', ATTEMPTS, file, String(port), String(process.pid)]);
    const possible = /^POSSIBLE (.*)$/m.exec(output)?.[1];
    return possible === undefined ? { fault: lastLine(output) } : { possible };
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Standard output and error of Node with these arguments. */
function run(backend: SandboxBackend, args: readonly string[]): Promise<string> {
  const {
    file,
    args: all,
    descriptors,
  } = backend.wrap({ file: process.execPath, args: [...backend.startFlags, ...args] }, 3);
  const child = spawn(file, all, {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'pipe', 'pipe', ...descriptors],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  for (const each of descriptors) if (typeof each === 'number') closeSync(each);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', () => resolve(output));
  });
}

function lastLine(output: string): string {
  return output.trim().split('\n').pop() ?? '';
}
