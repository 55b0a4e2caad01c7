import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { messageOf } from '../../../base/errors.js';
import type { Logger } from '../../../base/logger.js';
import type { DocumentLimits, ExtractionLimits } from '../../limits.js';
import type { PartialResult } from '../channel/check-extraction.js';
import { descriptors, type PoolMessage, type ProcessMessage } from '../channel/messages.js';
import { poolMessageFrames } from '../channel/pool-messages.js';
import { ProcessMessageReader } from '../channel/process-message-reader.js';
import { OutputLines } from './output-lines.js';
import { residentBytes } from './process-memory.js';
import { PartialResultFile } from './partial-result-file.js';

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last lines of its output: why V8 or a library failed. */
  readonly stderrTail: string;
  /** Why a message of it was invalid; it was killed because of that. */
  readonly fault: string | undefined;
}

export interface ProcessListener {
  /** An error that it throws kills the process: the message is invalid at this moment. */
  onMessage(message: ProcessMessage): void;
  /** All messages received so far have been passed on. */
  onRead(): void;
  onEnd(end: ProcessEnd): void;
}

/** The environment variables that a process gets: none with secrets, none that change how Node starts. */
const VISIBLE_VARIABLES = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'TESSDATA_PREFIX'];

/**
 * Most objects live as long as their document. A small young generation and an allocator that returns free memory reduce the
 * memory of a process by a third and cost no time (bench:extract). The variables are those of glibc; others ignore them.
 */
const YOUNG_GENERATION = '--max-semi-space-size=4';
const ALLOCATOR_SETTINGS = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' };

/** How long the last answers and output of an ended process may take to arrive. */
const OUTPUT_GRACE_MS = 500;

/** After this time a killed process counts as ended. */
const KILL_TIMEOUT_MS = 5_000;

/**
 * A child process that runs the sandbox program, with its channel and output. A document may have taken control of it, so
 * nothing that it sends can do more than end it.
 */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #toProcess: Socket | undefined;
  readonly #listener: ProcessListener;
  readonly #reader: ProcessMessageReader;
  readonly #limits: DocumentLimits;
  readonly #output: OutputLines;
  readonly #ended: Promise<void>;
  readonly #partialResult = new PartialResultFile();
  #fault: string | undefined;
  #end: (code: number | null, signal: NodeJS.Signals | null) => void = () => undefined;

  constructor(module: string, limits: ExtractionLimits, logger: Logger, listener: ProcessListener) {
    this.#listener = listener;
    this.#limits = limits.document;
    this.#reader = new ProcessMessageReader(limits.document);
    this.#output = new OutputLines((line) =>
      logger.debug('An extraction process wrote a line.', { pid: this.pid, line }),
    );
    this.#child = start(module, limits, this.#partialResult.descriptor);
    const { stdio } = this.#child;
    this.#output.readFrom(this.#child.stdout);
    this.#output.readFrom(this.#child.stderr);
    this.#toProcess = socketOf(stdio[descriptors.fromPool]);
    // Fails when the process has ended.
    this.#toProcess?.on('error', () => undefined);
    const fromProcess = socketOf(stdio[descriptors.toPool]);
    fromProcess?.on('data', (chunk) => this.#receive(chunk));
    fromProcess?.on('error', () => undefined);
    this.#ended = this.#whenEnded();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get ended(): Promise<void> {
    return this.#ended;
  }

  /** The partial result of the current document. To be read before `onEnd` returns. */
  partialResult(): PartialResult | undefined {
    return this.#partialResult.read(this.#limits);
  }

  residentBytes(): number | undefined {
    return this.pid === undefined ? undefined : residentBytes(this.pid);
  }

  send(message: PoolMessage): void {
    const channel = this.#toProcess;
    if (channel?.writable !== true) return;
    channel.cork();
    for (const frame of poolMessageFrames(message)) channel.write(frame);
    channel.uncork();
  }

  /**
   * Kills the process. One that waits for a disk or network drive that does not respond cannot be killed until it does; it
   * counts as ended nevertheless.
   */
  kill(): void {
    this.#killGroup();
    this.#child.kill('SIGKILL');
    setTimeout(() => this.#end(null, 'SIGKILL'), KILL_TIMEOUT_MS).unref();
  }

  #receive(chunk: Buffer): void {
    if (this.#fault !== undefined) return;
    try {
      this.#reader.read(chunk, (message) => this.#listener.onMessage(message));
      this.#listener.onRead();
    } catch (error) {
      this.#fault = messageOf(error);
      this.kill();
    }
  }

  #whenEnded(): Promise<void> {
    return new Promise((resolve) => {
      let isOver = false;
      let grace: NodeJS.Timeout | undefined;
      this.#end = (code, signal) => {
        if (isOver) return;
        isOver = true;
        clearTimeout(grace);
        resolve();
        this.#listener.onEnd({ code, signal, stderrTail: this.#output.last(), fault: this.#fault });
        this.#partialResult.close();
      };
      // `close` follows `exit` when everything that the process has written has been read; `error` comes alone when the
      // process could not be started.
      this.#child.on('close', (code, signal) => this.#end(code, signal));
      this.#child.on('exit', (code, signal) => {
        this.#killGroup();
        grace = setTimeout(() => this.#end(code, signal), OUTPUT_GRACE_MS);
      });
      this.#child.on('error', (error) => {
        this.#output.add(Buffer.from(error.message));
        if (this.#child.pid === undefined) this.#end(null, null);
      });
    });
  }

  /** Kills the programs that it has started, which would otherwise continue. */
  #killGroup(): void {
    if (this.pid === undefined || !HAS_GROUPS) return;
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // The group is empty.
    }
  }

  /** Closes the channel, upon which the process ends by itself. */
  release(): void {
    this.#toProcess?.end();
  }
}

const HAS_GROUPS = process.platform !== 'win32';

function start(
  module: string,
  { document, worker }: ExtractionLimits,
  partialResult: number | undefined,
): ChildProcess {
  const nodeOptions = [`--max-old-space-size=${worker.heapMib}`, YOUNG_GENERATION];
  const hasPartialResultFile = partialResult === undefined ? [] : ['partial-result'];
  return spawn(process.execPath, [...nodeOptions, module, JSON.stringify(document), ...hasPartialResultFile], {
    env: visibleEnvironment(),
    // In the order of `descriptors`. Not Node's IPC channel: a forged message on it ends the receiver.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', ...(partialResult === undefined ? [] : [partialResult])],
    // As leader of a process group it can be killed together with the programs that it has started.
    detached: HAS_GROUPS,
    windowsHide: true,
  });
}

function socketOf(stream: unknown): Socket | undefined {
  return stream instanceof Socket ? stream : undefined;
}

function visibleEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...ALLOCATOR_SETTINGS };
  for (const name of VISIBLE_VARIABLES) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
