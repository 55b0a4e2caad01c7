import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { entryPoint } from '../../../base/entry-points.js';
import type { ExtractionLimits } from '../../limits.js';
import { brokerMessageFrames, REQUESTS_DESCRIPTOR } from '../channel/broker-messages.js';
import { descriptors, type PoolMessage } from '../channel/messages.js';
import { poolMessageFrames } from '../channel/pool-messages.js';
import { withResourceLimits } from '../isolation/resource-limits.js';
import type { SandboxBackend } from '../isolation/sandbox-backend.js';

/** A sandbox process, with its broker when it is isolated. */
export interface Processes {
  readonly sandbox: ChildProcess;
  readonly broker: ChildProcess | undefined;
  readonly fromProcess: Socket | undefined;
  /** Standard output and error of both. */
  readonly output: readonly (Readable | null)[];
  /** What the tool of the isolation reports, if anything. */
  readonly report: Socket | undefined;
  send(message: PoolMessage): void;
  /** Closes the channel, upon which they end by themselves. */
  release(): void;
}

/** The environment variables that a process gets: none with secrets, none that change how Node starts. */
const VISIBLE_VARIABLES = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'TESSDATA_PREFIX'];
/** Those of an isolated process, which has nothing to find. */
const ISOLATED_VARIABLES = ['LANG', 'LC_ALL', 'TZ'];

/**
 * Most objects live as long as their document. A small young generation and an allocator that returns free memory reduce the
 * memory of a process by a third and cost no time (bench:extract). The variables are those of glibc; others ignore them.
 */
const YOUNG_GENERATION = '--max-semi-space-size=4';
/**
 * Without the threads in which V8 compiles and collects garbage. As many processes as cores extract, so that these would take
 * from the other processes what they give to their own: with them, a first crawl of real documents takes a tenth longer.
 *
 * Marking is not divided into steps: without a thread of its own it would end so late that an archive of large members
 * takes 500 MB instead of 320.
 */
const ONE_THREAD = ['--single-threaded', '--v8-pool-size=0', '--no-incremental-marking'];
/** A broker keeps nothing. */
const BROKER_OPTIONS = ['--max-semi-space-size=1', ...ONE_THREAD];
const ALLOCATOR_SETTINGS = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' };

/** A group of documents that are read from files is sent in one piece. */
const MOST_COPIED_BYTES = 256 * 1024;

const HAS_GROUPS = process.platform !== 'win32';
/** As leader of a process group it can be killed together with the programs that it has started. */
const OWN_GROUP = { detached: HAS_GROUPS, windowsHide: true };

/** @param isolation undefined: the process opens documents itself, and has the rights of this one */
export function startProcesses(
  module: string,
  limits: ExtractionLimits,
  isolation: SandboxBackend | undefined,
): Processes {
  const nodeOptions = [`--max-old-space-size=${limits.worker.heapMib}`, YOUNG_GENERATION, ...ONE_THREAD];
  if (isolation !== undefined) return startIsolated(isolation, module, nodeOptions, limits);
  const documentLimits = JSON.stringify(limits.document);
  // In the order of `descriptors`. Not Node's IPC channel: a forged message on it ends the receiver.
  const sandbox = spawn(process.execPath, [...nodeOptions, module, documentLimits, 'pool'], {
    ...OWN_GROUP,
    env: environment(VISIBLE_VARIABLES),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const toProcess = socketOf(sandbox, descriptors.input);
  return {
    ...sendingTo(toProcess, poolMessageFrames),
    sandbox,
    broker: undefined,
    fromProcess: socketOf(sandbox, descriptors.toPool),
    output: [sandbox.stdout, sandbox.stderr],
    report: undefined,
  };
}

/** Both are started at the same time. What connects them is made with the process and inherited by the broker. */
function startIsolated(
  isolation: SandboxBackend,
  module: string,
  nodeOptions: readonly string[],
  limits: ExtractionLimits,
): Processes {
  const documentLimits = JSON.stringify(limits.document);
  const program = [...nodeOptions, ...isolation.startFlags, ...isolation.permissions, module, documentLimits, 'broker'];
  const isolated = isolation.wrap({ file: process.execPath, args: program }, REQUESTS_DESCRIPTOR + 1);
  const { descriptors: own } = isolated;
  const { file, args } = withResourceLimits(isolated, limits.worker.memoryBytes);
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', ...own];
  const env = environment(ISOLATED_VARIABLES);
  const sandbox = spawn(file, args, { ...OWN_GROUP, env, stdio, cwd: '/' });
  for (const each of own) if (typeof each === 'number') closeSync(each);
  const feed = socketOf(sandbox, descriptors.input);
  const requests = socketOf(sandbox, REQUESTS_DESCRIPTOR);
  const broker = startBroker(isolation, sandbox.pid, feed, requests);
  // From here on they belong to the broker alone.
  feed?.destroy();
  requests?.destroy();
  const at = own.indexOf('pipe');
  return {
    ...sendingTo(broker === undefined ? undefined : socketOf(broker, 3), brokerMessageFrames),
    sandbox,
    broker,
    fromProcess: socketOf(sandbox, descriptors.toPool),
    output: [sandbox.stdout, sandbox.stderr, broker?.stderr ?? null],
    report: at === -1 ? undefined : socketOf(sandbox, REQUESTS_DESCRIPTOR + 1 + at),
  };
}

const BROKER = fileURLToPath(entryPoint('broker'));

function startBroker(
  { programs }: SandboxBackend,
  processId: number | undefined,
  feed: Socket | undefined,
  requests: Socket | undefined,
): ChildProcess | undefined {
  if (processId === undefined || feed === undefined || requests === undefined) return undefined;
  return spawn(
    process.execPath,
    [...BROKER_OPTIONS, BROKER, String(processId), ...(programs === undefined ? [] : [JSON.stringify(programs)])],
    {
      ...OWN_GROUP,
      env: environment(VISIBLE_VARIABLES),
      // In the order of `brokerDescriptors`.
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', feed, requests],
    },
  );
}

function sendingTo(
  channel: Socket | undefined,
  framesOf: (message: PoolMessage) => readonly Uint8Array[],
): Pick<Processes, 'send' | 'release'> {
  // Fails when the process has ended.
  channel?.on('error', () => undefined);
  return {
    send: (message) => {
      if (channel?.writable !== true) return;
      const frames = framesOf(message);
      const total = frames.reduce((sum, { length }) => sum + length, 0);
      // Several writes in one are dearer than a copy, unless there is much to be copied.
      if (total <= MOST_COPIED_BYTES) channel.write(Buffer.concat(frames));
      else for (const frame of frames) channel.write(frame);
    },
    release: () => channel?.end(),
  };
}

/** Kills a process with the programs that it has started. */
export function killGroup(child: ChildProcess): void {
  if (child.pid !== undefined && HAS_GROUPS) {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group is empty.
    }
  }
  child.kill('SIGKILL');
}

function socketOf({ stdio }: ChildProcess, descriptor: number): Socket | undefined {
  const stream: unknown = stdio[descriptor];
  return stream instanceof Socket ? stream : undefined;
}

function environment(names: readonly string[]): NodeJS.ProcessEnv {
  const all: NodeJS.ProcessEnv = { ...ALLOCATOR_SETTINGS };
  for (const name of names) {
    const value = process.env[name];
    if (value !== undefined) all[name] = value;
  }
  return all;
}
