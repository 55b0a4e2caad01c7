import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The real binary, run as a person runs it; the same program of another build folder (PROGRAM_DIST); or that of a package that
 * was made or installed (PROGRAM_PACKAGE: its folder).
 */
export const PROGRAM = program();

function program(): string {
  const folder = process.env['PROGRAM_PACKAGE'];
  if (folder !== undefined) return resolve(folder, 'lib', 'crawler.js');
  const file = process.env['PROGRAM_DIST'] === undefined ? '../../bin/crawler.js' : 'run-build.mjs';
  return fileURLToPath(new URL(file, import.meta.url));
}

export interface Finished {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCrawler {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Resolves when the text was printed on either stream. */
  printed(text: string): Promise<void>;
}

/** @param prefix a command that runs the program as its arguments, such as `unshare` */
export function startCrawler(
  args: readonly string[],
  options: SpawnOptions = {},
  prefix: readonly string[] = [],
): RunningCrawler {
  const env = { ...process.env, NODE_OPTIONS: '', ...options.env };
  const [command = '', ...rest] = [...prefix, process.execPath, PROGRAM, ...args];
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'], ...options, env });
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    for (const listener of listeners) listener();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    for (const listener of listeners) listener();
  });
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  const printed = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (!stdout.includes(text) && !stderr.includes(text)) return;
        listeners.delete(check);
        resolve();
      };
      listeners.add(check);
      void finished.then(() => {
        check();
        reject(new Error(`The crawler ended without printing [${text}]:\n${stdout}\n${stderr}`));
      });
      check();
    });
  return { child, finished, printed };
}

export function runCrawler(args: readonly string[], options: SpawnOptions = {}): Promise<Finished> {
  return startCrawler(args, options).finished;
}

export interface FoundDocument {
  readonly index: string;
  readonly id: string;
  readonly score?: number;
  readonly source: Record<string, unknown> & { path?: { real?: string }; content?: string };
  readonly highlight?: Record<string, string[]>;
}

/** `crawler search … --json`, parsed. */
export async function searchDocuments(args: readonly string[]): Promise<FoundDocument[]> {
  const { code, stdout, stderr } = await runCrawler(['search', ...args, '--json']);
  if (code !== 0) throw new Error(`The search failed with ${code}: ${stderr}`);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as FoundDocument);
}

/** Paths of every document in the job's index, sorted. */
export async function indexedPaths(job: string, configDir: string): Promise<string[]> {
  const documents = await searchDocuments([job, '--all', '--config_dir', configDir]);
  return documents.map(({ source }) => source.path?.real ?? '?').sort();
}
