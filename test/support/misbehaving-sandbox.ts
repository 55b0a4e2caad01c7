import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A program for the pool's processes whose documents do what their name says. It uses the real loop of the sandbox, so that
 * only the extraction itself is made up. Every process leaves a file named after its pid in `starts/`, every document begun
 * leaves one line in its process's file.
 */
export class MisbehavingSandbox {
  readonly module: string;
  readonly #starts: string;

  constructor(folder: string) {
    this.module = join(folder, 'sandbox.mjs');
    this.#starts = join(folder, 'starts');
    mkdirSync(this.#starts);
    const compiled = resolve(process.env['PROGRAM_DIST'] ?? 'dist', 'extract/runtime/sandbox/serve.js');
    const program = PROGRAM.replaceAll('SERVE', pathToFileURL(compiled).href)
      .replaceAll('STARTS', this.#starts)
      .replaceAll('ONCE', join(folder, 'once-'));
    writeFileSync(this.module, program);
  }

  /** Pids of all processes that were started, in no order. */
  get pids(): number[] {
    return readdirSync(this.#starts).map(Number);
  }

  get alive(): number[] {
    return this.pids.filter(isAlive);
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
}

function isZombie(pid: number): boolean {
  return process.platform === 'linux' && !existsSync(`/proc/${pid}/exe`) && existsSync(`/proc/${pid}/stat`);
}

/** Waits until something has become true; gives up by throwing. */
export async function until(isTrue: () => boolean, withinMs = 15_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error('It did not become true in time.');
    await new Promise((later) => setTimeout(later, 20));
  }
}

const PROGRAM = `
import { appendFileSync, existsSync, writeFileSync, writeSync } from 'node:fs';
import { serve } from 'SERVE';

const [, , limits] = process.argv;
const TO_POOL = 4;

const own = 'STARTS/' + process.pid;
writeFileSync(own, '');
let begun = 0;
const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const deeds = {
  hang: () => { for (;;); },
  doze: () => new Promise(() => undefined),
  crash: () => process.abort(),
  exit: () => process.exit(7),
  later: () => { setTimeout(() => { throw new Error('thrown behind the back'); }, 1); return new Promise(() => undefined); },
  heap: () => { const all = []; for (;;) all.push(new Array(10_000).fill(all.length)); },
  buffers: () => { const all = []; for (;;) { all.push(Buffer.alloc(8 * 1024 * 1024, 1)); wait(5); } },
  print: () => { console.log('a word on stdout'); console.error('a word on stderr'); },
  slow: (ms) => wait(Number(ms)),
  flood: (mebibytes) => { for (let i = 0; i < Number(mebibytes); i++) process.stdout.write('many words on one line '.repeat(45_590) + '\\n'); },
  // What a document might do that has taken its process over.
  send: (base64) => { writeSync(TO_POOL, Buffer.from(base64, 'base64')); return new Promise(() => undefined); },
  sendToAll: (base64) => { for (let fd = 3; fd < 20; fd++) try { writeSync(fd, Buffer.from(base64, 'base64')); } catch {} return new Promise(() => undefined); },
  leaveMany: (times, base64) => { for (let i = 0; i < times; i++) writeSync(TO_POOL, Buffer.from(base64, 'base64')); for (;;); },
  leave: (base64) => { writeSync(TO_POOL, Buffer.from(base64, 'base64')); process.abort(); },
  once: (deed, key) => {
    if (existsSync('ONCE' + key)) return undefined;
    writeFileSync('ONCE' + key, '');
    return deeds[deed]();
  },
};

serve(async (request, { flush }) => {
  const number = ++begun;
  appendFileSync(own, request.name + '\\n');
  const [deed, ...rest] = request.name.split(':');
  if (deed in deeds) {
    flush();
    await deeds[deed](...rest);
  }
  return {
    text: request.name,
    truncated: false,
    contentType: 'text/plain',
    metadata: { pid: [String(process.pid)], number: [String(number)] },
    language: undefined,
    checksum: undefined,
    source: undefined,
    size: 0,
    members: [],
    warnings: [],
    problem: request.name === 'damaged' ? { reason: 'corrupt', message: 'It is damaged.' } : undefined,
  };
}, JSON.parse(limits));
`;
