import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { closeSync } from 'node:fs';
import { CrawlerError, messageOf } from '../../../base/errors.js';
import type { LaunchedProgram } from '../program-launcher.js';

/** Runs the tesseract program once: a picture on standard input, text on standard output, no files. */
export interface TesseractOutcome {
  readonly code: number | null;
  /** What ended it, if a signal did. */
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  /** The beginning of its standard error. */
  readonly stderr: string;
}

/** A page of text takes some kilobytes; as hOCR, some hundred. */
const MOST_STDOUT_BYTES = 64 * 1024 * 1024;
const MOST_STDERR_BYTES = 4_000;

/** Killed when this process exits. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A program with the rights of this process. */
export function plain(file: string, args: readonly string[]): LaunchedProgram {
  return { file, args, descriptors: [] };
}

/** @throws CrawlerError `unavailable` when the program cannot be started, `cancelled` when the signal is aborted */
export function runTesseract(
  { file, args, descriptors }: LaunchedProgram,
  input: Uint8Array | undefined,
  signal: AbortSignal,
): Promise<TesseractOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      // One thread: pages are recognised in parallel by several processes.
      env: { ...process.env, OMP_THREAD_LIMIT: '1' },
      stdio: ['pipe', 'pipe', 'pipe', ...descriptors],
      windowsHide: true,
    }) as ChildProcessWithoutNullStreams;
    for (const each of descriptors) closeSync(each);
    running.add(child);
    const onAbort = (): boolean => child.kill('SIGKILL');
    signal.addEventListener('abort', onAbort);
    const output = collect(child.stdout, MOST_STDOUT_BYTES);
    const stderr = collect(child.stderr, MOST_STDERR_BYTES);
    const settle = (): void => {
      running.delete(child);
      signal.removeEventListener('abort', onAbort);
    };
    child.on('error', (cause) => {
      settle();
      reject(new CrawlerError('unavailable', `[${file}] cannot be started: ${messageOf(cause)}`, { cause }));
    });
    // Not `close`: programs that a wrapper script has started may keep the streams open.
    child.on('exit', () => {
      if (!signal.aborted) return;
      settle();
      child.stdout.destroy();
      child.stderr.destroy();
      reject(new CrawlerError('cancelled', 'The recognition of text was stopped.'));
    });
    child.on('close', (code, endedBy) => {
      settle();
      resolve({ code, signal: endedBy, output: output(), stderr: stderr() });
    });
    // A program that fails early closes its input; its exit code is more informative than the broken pipe.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    if (signal.aborted) onAbort();
  });
}

function collect(stream: NodeJS.ReadableStream, mostBytes: number): () => string {
  const pieces: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (piece: Buffer) => {
    if (bytes < mostBytes) pieces.push(piece);
    bytes += piece.length;
  });
  return () => Buffer.concat(pieces).subarray(0, mostBytes).toString('utf8');
}
