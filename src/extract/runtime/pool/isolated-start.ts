import type { Socket } from 'node:net';
import type { Inspection, SandboxBackend } from '../isolation/sandbox-backend.js';

/** Longer than any report. */
const MOST_CHARACTERS = 64 * 1024;
/** The tool reports before it starts the process, so nothing will come after that. */
const REPORT_TIMEOUT_MS = 2_000;

/**
 * Inspects an isolated process when it is ready, and when its tool has reported, which may be later. Until then it is not sent
 * any document.
 */
export class IsolatedStart {
  readonly #backend: SandboxBackend;
  readonly #pid: number;
  readonly #onInspected: (inspection: Inspection) => void;
  #report = '';
  #isReady = false;
  #isReported: boolean;
  #isInspected = false;

  constructor(
    backend: SandboxBackend,
    { pid = 0, report }: { readonly pid: number | undefined; readonly report: Socket | undefined },
    onInspected: (inspection: Inspection) => void,
  ) {
    this.#backend = backend;
    this.#pid = pid;
    this.#onInspected = onInspected;
    this.#isReported = report === undefined;
    report?.on('data', (chunk: Buffer) => this.#take(chunk));
    report?.on('error', () => undefined);
    report?.on('close', () => this.#reported());
  }

  ready(): void {
    this.#isReady = true;
    this.#inspectIfDue();
    if (!this.#isInspected) setTimeout(() => this.#reported(), REPORT_TIMEOUT_MS).unref();
  }

  #take(chunk: Buffer): void {
    if (this.#report.length < MOST_CHARACTERS) this.#report += chunk.toString('latin1');
    if (this.#report.trimEnd().endsWith('}')) this.#reported();
  }

  #reported(): void {
    this.#isReported = true;
    this.#inspectIfDue();
  }

  #inspectIfDue(): void {
    if (!this.#isReady || !this.#isReported || this.#isInspected) return;
    this.#isInspected = true;
    this.#onInspected(this.#backend.inspect(this.#pid, this.#report));
  }
}
