import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { messageOf } from '../../../base/errors.js';
import { lowerPriorityOf } from '../../../base/background-priority.js';
import type { Logger } from '../../../base/logger.js';
import type { ExtractionLimits } from '../../limits.js';
import type { PoolMessage, ProcessMessage } from '../channel/messages.js';
import { ProcessMessageReader } from '../channel/process-message-reader.js';
import type { Inspection, SandboxBackend } from '../isolation/sandbox-backend.js';
import { IsolatedStart } from './isolated-start.js';
import { OutputLines } from './output-lines.js';
import { residentBytes } from './process-memory.js';
import { killGroup, startProcesses, type Processes } from './start-processes.js';

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last lines of its output: why V8 or a library failed. */
  readonly stderrTail: string;
  /** Why a message of it was invalid; it was killed because of that. */
  readonly fault: string | undefined;
  /** Why it was not isolated; it was not sent any document. */
  readonly isolationFault: string | undefined;
}

export interface ProcessListener {
  /** An error that it throws kills the process: the message is invalid at this moment. */
  onMessage(message: ProcessMessage): void;
  /** All messages received so far have been passed on. */
  onRead(): void;
  onEnd(end: ProcessEnd): void;
}

/** How long the last answers and output of an ended process may take to arrive. */
const OUTPUT_GRACE_MS = 500;

/** After this time a killed process counts as ended. */
const KILL_TIMEOUT_MS = 5_000;

export interface WorkerProcessOptions {
  readonly limits: ExtractionLimits;
  readonly logger: Logger;
  /** Undefined: the process opens documents itself. */
  readonly isolation: SandboxBackend | undefined;
  /** Whether somebody may be waiting for other work of this program. */
  readonly inBackground: boolean;
}

/**
 * A child process that runs the sandbox program, with its channel and output. A document may have taken control of it, so
 * nothing that it sends can do more than end it.
 */
export class WorkerProcess {
  readonly #processes: Processes;
  readonly #listener: ProcessListener;
  readonly #reader: ProcessMessageReader;
  readonly #output: OutputLines;
  readonly #ended: Promise<void>;
  readonly #isolatedStart: IsolatedStart | undefined;
  readonly #inBackground: boolean;
  /** What will be sent when it is known that the process is isolated. */
  #held: PoolMessage[] | undefined;
  /** The process that extracts: the tool that isolates it may be its parent. */
  #pid: number | undefined;
  #fault: string | undefined;
  #isolationFault: string | undefined;
  #end: (code: number | null, signal: NodeJS.Signals | null) => void = () => undefined;

  constructor(
    module: string,
    { limits, logger, isolation, inBackground }: WorkerProcessOptions,
    listener: ProcessListener,
  ) {
    this.#listener = listener;
    this.#inBackground = inBackground;
    this.#reader = new ProcessMessageReader(limits.document);
    this.#output = new OutputLines((line) =>
      logger.debug('An extraction process wrote a line.', { pid: this.pid, line }),
    );
    this.#processes = startProcesses(module, limits, isolation);
    const { sandbox, output, broker, fromProcess, report } = this.#processes;
    this.#pid = sandbox.pid;
    if (inBackground) for (const each of [sandbox, broker]) lowerPriorityOf(each?.pid);
    if (isolation !== undefined) {
      this.#held = [];
      this.#isolatedStart = new IsolatedStart(isolation, { pid: sandbox.pid, report }, (each) => this.#inspected(each));
    }
    for (const each of output) this.#output.readFrom(each);
    fromProcess?.on('data', (chunk) => this.#receive(chunk));
    fromProcess?.on('error', () => undefined);
    this.#ended = this.#whenEnded(sandbox);
    // Without a broker the process would wait for its documents forever.
    broker?.on('exit', () => this.#killGroups());
    broker?.on('error', (error) => {
      this.#output.add(Buffer.from(error.message));
      this.#killGroups();
    });
  }

  get pid(): number | undefined {
    return this.#pid;
  }

  get ended(): Promise<void> {
    return this.#ended;
  }

  residentBytes(): number | undefined {
    return this.pid === undefined ? undefined : residentBytes(this.pid);
  }

  send(message: PoolMessage): void {
    if (this.#held === undefined) this.#processes.send(message);
    else this.#held.push(message);
  }

  /**
   * Kills the process. One that waits for a disk or network drive that does not respond cannot be killed until it does; it
   * counts as ended nevertheless.
   */
  kill(): void {
    this.#killGroups();
    setTimeout(() => this.#end(null, 'SIGKILL'), KILL_TIMEOUT_MS).unref();
  }

  #receive(chunk: Buffer): void {
    if (this.#fault !== undefined) return;
    try {
      this.#reader.read(chunk, (message) => {
        if (message.kind === 'ready' && this.#isolatedStart !== undefined) this.#isolatedStart.ready();
        else this.#listener.onMessage(message);
      });
      this.#listener.onRead();
    } catch (error) {
      this.#fault = messageOf(error);
      this.kill();
    }
  }

  /** An isolated process is ready. */
  #inspected({ pid, fault }: Inspection): void {
    this.#pid = pid;
    // The tool that isolates it may have started it before its own priority was lowered.
    if (this.#inBackground) lowerPriorityOf(pid);
    this.#isolationFault = fault;
    if (fault !== undefined) {
      this.kill();
      return;
    }
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#listener.onMessage({ kind: 'ready' });
    for (const message of held) this.send(message);
    this.#listener.onRead();
  }

  #whenEnded(sandbox: ChildProcess): Promise<void> {
    return new Promise((resolve) => {
      let isOver = false;
      let grace: NodeJS.Timeout | undefined;
      this.#end = (code, signal) => {
        if (isOver) return;
        isOver = true;
        clearTimeout(grace);
        resolve();
        const end = { stderrTail: this.#output.last(), fault: this.#fault, isolationFault: this.#isolationFault };
        this.#listener.onEnd({ ...endOf(code, signal), ...end });
        this.#killGroups();
      };
      // `close` follows `exit` when everything that the process has written has been read; `error` comes alone when the
      // process could not be started.
      sandbox.on('close', (code, signal) => this.#end(code, signal));
      sandbox.on('exit', (code, signal) => {
        this.#killGroups();
        grace = setTimeout(() => this.#end(code, signal), OUTPUT_GRACE_MS);
      });
      sandbox.on('error', (error) => {
        this.#output.add(Buffer.from(error.message));
        if (sandbox.pid === undefined) this.#end(null, null);
      });
    });
  }

  /** Kills the processes with the programs that they have started, which would otherwise continue. */
  #killGroups(): void {
    killGroup(this.#processes.sandbox);
    if (this.#processes.broker !== undefined) killGroup(this.#processes.broker);
  }

  /** Closes the channel, upon which the process ends by itself. */
  release(): void {
    this.#processes.release();
  }
}

/** A tool whose child was ended by a signal exits with this code and the number of the signal. */
const ENDED_BY_SIGNAL = 128;

function endOf(code: number | null, signal: NodeJS.Signals | null): Pick<ProcessEnd, 'code' | 'signal'> {
  const number = (code ?? 0) - ENDED_BY_SIGNAL;
  const found = Object.entries(constants.signals).find(([, each]) => each === number);
  return found === undefined ? { code, signal } : { code: null, signal: found[0] as NodeJS.Signals };
}
