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
import { SalvageFile } from './salvage-file.js';

/** How a process came to its end. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last lines it wrote: why V8 or a library gave up. */
  readonly lastWords: string;
  /** What it has sent that no honest process sends: it was ended because of that. */
  readonly fault: string | undefined;
}

export interface ProcessListener {
  /** Whatever it throws ends the process: then the message was not one that it may send now. */
  onMessage(message: ProcessMessage): void;
  /** All messages that have come so far have been handed over. */
  onRead(): void;
  onEnd(end: ProcessEnd): void;
}

/** What a process may see of the environment: nothing secret, nothing that changes how Node starts. */
const VISIBLE_VARIABLES = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'TESSDATA_PREFIX'];

/**
 * A document's garbage dies with the document: a small nursery and an allocator that gives back what is free take a third off
 * the memory of a process and cost no time (bench:extract). The variables are glibc's; elsewhere nobody reads them.
 */
const YOUNG_GENERATION = '--max-semi-space-size=4';
const THRIFTY_ALLOCATOR = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' };

/** How long the last answers and the last output of a process that has ended may take to arrive. */
const OUTPUT_GRACE_MS = 500;

/** How long a killed process may take to end. */
const UNKILLABLE_MS = 5_000;

/**
 * A child process that runs the sandbox program, with its channel and its output. What comes from it may be the work of a document that
 * has taken it over, so nothing of it can make more of this process fail than the document at work.
 */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #toProcess: Socket | undefined;
  readonly #listener: ProcessListener;
  readonly #reader: ProcessMessageReader;
  readonly #limits: DocumentLimits;
  readonly #output: OutputLines;
  readonly #ended: Promise<void>;
  readonly #salvage = new SalvageFile();
  #fault: string | undefined;
  #end: (code: number | null, signal: NodeJS.Signals | null) => void = () => undefined;

  constructor(module: string, limits: ExtractionLimits, logger: Logger, listener: ProcessListener) {
    this.#listener = listener;
    this.#limits = limits.document;
    this.#reader = new ProcessMessageReader(limits.document);
    this.#output = new OutputLines((line) =>
      logger.debug('An extraction process wrote a line.', { pid: this.pid, line }),
    );
    this.#child = start(module, limits, this.#salvage.descriptor);
    const { stdio } = this.#child;
    this.#output.readFrom(this.#child.stdout);
    this.#output.readFrom(this.#child.stderr);
    this.#toProcess = socketOf(stdio[descriptors.fromPool]);
    // It has ended when nobody reads any more.
    this.#toProcess?.on('error', () => undefined);
    const fromProcess = socketOf(stdio[descriptors.toPool]);
    fromProcess?.on('data', (piece) => this.#receive(piece));
    fromProcess?.on('error', () => undefined);
    this.#ended = this.#whenEnded();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get ended(): Promise<void> {
    return this.#ended;
  }

  /** What the document that it works on has given so far. Only until `onEnd` has returned. */
  salvage(): PartialResult | undefined {
    return this.#salvage.read(this.#limits);
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
   * Ends it at once, whatever it does. A process that waits for a disk or a network drive that does not answer cannot be
   * killed until it does: then it counts as ended all the same.
   */
  kill(): void {
    this.#killGroup();
    this.#child.kill('SIGKILL');
    setTimeout(() => this.#end(null, 'SIGKILL'), UNKILLABLE_MS).unref();
  }

  #receive(piece: Buffer): void {
    if (this.#fault !== undefined) return;
    try {
      this.#reader.read(piece, (message) => this.#listener.onMessage(message));
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
        this.#listener.onEnd({ code, signal, lastWords: this.#output.last(), fault: this.#fault });
        this.#salvage.close();
      };
      // `close` comes after `exit`, when everything that it has written has arrived; `error` comes alone when the process
      // could not be started.
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

  /** The programs that it has started, which would go on without it. */
  #killGroup(): void {
    if (this.pid === undefined || !HAS_GROUPS) return;
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // Nobody is left in it.
    }
  }

  /** Lets it end by itself: it has nothing left to do. */
  release(): void {
    this.#toProcess?.end();
  }
}

const HAS_GROUPS = process.platform !== 'win32';

function start(module: string, { document, worker }: ExtractionLimits, salvage: number | undefined): ChildProcess {
  const nodeOptions = [`--max-old-space-size=${worker.heapMib}`, YOUNG_GENERATION];
  const hasSalvage = salvage === undefined ? [] : ['salvage'];
  return spawn(process.execPath, [...nodeOptions, module, JSON.stringify(document), ...hasSalvage], {
    env: visibleEnvironment(),
    // In the order of `descriptors`. Two pipes instead of Node's own channel: see pool-channel.ts.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', ...(salvage === undefined ? [] : [salvage])],
    // It leads a process group of its own: whatever programs it has started can be ended with it.
    detached: HAS_GROUPS,
    windowsHide: true,
  });
}

function socketOf(stream: unknown): Socket | undefined {
  return stream instanceof Socket ? stream : undefined;
}

function visibleEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...THRIFTY_ALLOCATOR };
  for (const name of VISIBLE_VARIABLES) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
