import { fork, type ChildProcess } from 'node:child_process';
import type { Logger } from '../../base/logger.js';
import type { FromSandbox, ToSandbox } from '../sandbox/protocol.js';
import type { Salvage } from '../sandbox/salvage-log.js';
import type { ExtractionLimits } from '../limits.js';
import { OutputLines } from './output-lines.js';
import { residentBytes } from './process-memory.js';
import { SalvageFile } from './salvage-file.js';

/** How a process came to its end. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last lines it wrote: why V8 or a library gave up. */
  readonly lastWords: string;
}

export interface ProcessListener {
  onMessage(message: FromSandbox): void;
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

/** How long the last output of a process that has ended may take to arrive. */
const OUTPUT_GRACE_MS = 20;

/** How long a killed process may take to end. */
const UNKILLABLE_MS = 5_000;

/** A child process that runs the sandbox program, with its channel and its output. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #salvage = new SalvageFile();
  #end: (code: number | null, signal: NodeJS.Signals | null) => void = () => undefined;

  constructor(module: string, limits: ExtractionLimits, logger: Logger, listener: ProcessListener) {
    const { descriptor } = this.#salvage;
    const hasSalvage = descriptor === undefined ? [] : [String(SALVAGE_PLACE)];
    this.#child = fork(module, [JSON.stringify(limits.document), ...hasSalvage], {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${limits.worker.heapMib}`, YOUNG_GENERATION],
      env: visibleEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc', ...(descriptor === undefined ? [] : [descriptor])],
      // It leads a process group of its own: whatever programs it has started can be ended with it.
      detached: HAS_GROUPS,
    });
    const output = new OutputLines((line) =>
      logger.debug('An extraction process wrote a line.', { pid: this.pid, line }),
    );
    this.#child.stdout?.on('data', (piece: Buffer) => output.add(piece));
    this.#child.stderr?.on('data', (piece: Buffer) => output.add(piece));
    this.#child.on('message', (message: FromSandbox) => listener.onMessage(message));
    this.#ended = new Promise((resolve) => {
      let isOver = false;
      this.#end = (code, signal) => {
        if (isOver) return;
        isOver = true;
        resolve();
        listener.onEnd({ code, signal, lastWords: output.last() });
        this.#salvage.close();
      };
      // `close` comes after `exit`, when all output has arrived, but not at all once the channel was disconnected from
      // here; `error` comes alone when the process could not be started.
      this.#child.on('close', (code, signal) => this.#end(code, signal));
      this.#child.on('exit', (code, signal) => {
        this.#killGroup();
        setTimeout(() => this.#end(code, signal), OUTPUT_GRACE_MS);
      });
      this.#child.on('error', (error) => {
        output.add(Buffer.from(error.message));
        if (this.#child.pid === undefined) this.#end(null, null);
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get ended(): Promise<void> {
    return this.#ended;
  }

  /** What the document that it works on has given so far. Only until `onEnd` has returned. */
  salvage(): Salvage | undefined {
    return this.#salvage.read();
  }

  residentBytes(): number | undefined {
    return this.pid === undefined ? undefined : residentBytes(this.pid);
  }

  send(message: ToSandbox): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
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
    if (this.#child.connected) this.#child.disconnect();
  }
}

/** Of the salvage file in the process: behind the three standard files and the channel. */
const SALVAGE_PLACE = 4;

const HAS_GROUPS = process.platform !== 'win32';

function visibleEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...THRIFTY_ALLOCATOR };
  for (const name of VISIBLE_VARIABLES) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
