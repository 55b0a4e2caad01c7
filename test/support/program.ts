import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe } from '@jest/globals';

/** Where .ci/install-tools keeps what is not installed as a package of the system. */
const TOOLS = process.env['CRAWLER_TEST_TOOLS'] ?? '/opt/crawler-test-tools';

/** The whole path of a program, also where servers are kept, or undefined when it is not installed. */
export function findProgram(name: string): string | undefined {
  const own = ['bin', 'usr/sbin'].map((folder) => join(TOOLS, folder));
  const system = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/usr/lib/openssh'];
  return [...own, ...system].map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A suite that needs programs of this machine. Without them it is skipped, and one line says so. */
export function describeWith(programs: readonly string[], name: string, suite: () => void): void {
  const missing = programs.filter((program) => findProgram(program) === undefined);
  if (missing.length > 0) process.stderr.write(`[skipped] ${name}: ${missing.join(', ')} is not installed\n`);
  const describeOrSkip = missing.length === 0 ? describe : describe.skip;
  describeOrSkip(name, () => {
    suite();
  });
}

export async function freePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer();
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A server program of a test: started, waited for, stopped with all that it started. */
export class ServerProgram {
  readonly #command: string;
  readonly #args: readonly string[];
  readonly #options: SpawnOptions;
  readonly #port: number;
  #process: ChildProcess | undefined;
  #output = '';

  constructor(command: string, args: readonly string[], port: number, options: SpawnOptions = {}) {
    this.#command = command;
    this.#args = args;
    this.#port = port;
    this.#options = options;
  }

  get output(): string {
    return this.#output;
  }

  async start(): Promise<void> {
    // A group of its own: servers fork a process for each connection.
    const child = spawn(this.#command, this.#args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      ...this.#options,
    });
    const listen = (chunk: Buffer): void => {
      this.#output = `${this.#output}${chunk.toString()}`.slice(-20_000);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    this.#process = child;
    await this.#whenReady(child);
  }

  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child?.pid === undefined) return;
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve();
    // sshd gives each connection a process group of its own.
    const descendants = descendantsOf(child.pid);
    for (const pid of [-child.pid, ...descendants]) kill(pid);
    await ended;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async #whenReady(child: ChildProcess): Promise<void> {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      if (child.exitCode !== null) throw new Error(`${this.#command} ended with ${child.exitCode}: ${this.#output}`);
      if (await answers(this.#port)) return;
      await delay(50);
    }
    throw new Error(`${this.#command} does not listen on port ${this.#port}: ${this.#output}`);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Where the system tells; elsewhere the process group has to do. */
export function descendantsOf(pid: number): number[] {
  let children: number[];
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    children = text.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
