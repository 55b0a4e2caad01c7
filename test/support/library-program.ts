import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

export interface ProgramEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process that does not end by itself is ended by this; processes of an extractor that nobody closes wait longer. */
const LONGEST_MS = 40_000;

/** As in crawler-process.ts: what people install is loaded in less time than dist/. */
const PACKAGE = resolve(process.env['PROGRAM_PACKAGE'] ?? '.');

/**
 * Runs lines of a module that imports `document-crawler` in a process of its own. It ends by itself, or it is killed and `code`
 * is null.
 * @param cwd a folder in which the name of the package means something: the checkout, the package that is tested, or one with
 * node_modules
 */
export function libraryProgram(
  lines: string,
  { env = {}, cwd = PACKAGE, type = 'module' }: { env?: NodeJS.ProcessEnv; cwd?: string; type?: string } = {},
): Promise<ProgramEnd> {
  return new Promise((finish, reject) => {
    const child = spawn(process.execPath, [`--input-type=${type}`, '-e', lines], {
      cwd,
      env: { ...process.env, NODE_OPTIONS: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LONGEST_MS,
      killSignal: 'SIGKILL',
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => finish({ code, stdout, stderr }));
  });
}

/** Runs lines that call `print(value)` once; returns the value. Anything else that is printed is a failure. */
export async function printedBy(lines: string, options: Parameters<typeof libraryProgram>[1] = {}): Promise<unknown> {
  const print = `const print = (value) => process.stdout.write(JSON.stringify(value) + '\\n');\n`;
  const { code, stdout, stderr } = await libraryProgram(print + lines, options);
  if (code !== 0 || stderr !== '' || stdout.trim().includes('\n')) {
    throw new Error(`The program ended with ${code}:\n${stdout}\n${stderr}`);
  }
  return JSON.parse(stdout);
}
