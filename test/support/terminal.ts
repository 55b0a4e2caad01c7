import { spawn, type SpawnOptions } from 'node:child_process';
import { join } from 'node:path';

export interface Terminal {
  readonly press: (key: string) => void;
  readonly output: () => string;
  readonly code: Promise<number | null>;
  readonly kill: () => void;
}

export const CTRL_C = '\u0003';

/** The real binary in a pseudo-terminal. */
export function inTerminal(args: readonly string[]): Terminal {
  const binary = join(process.cwd(), 'bin', 'crawler.js');
  const program = [process.execPath, binary, ...args].map((each) => `'${each}'`).join(' ');
  return shellInTerminal(`exec ${program}`);
}

/** A command of the shell in a pseudo-terminal. `script` (util-linux) makes it, and hands the exit code on. */
export function shellInTerminal(command: string, options: SpawnOptions = {}): Terminal {
  const args = ['-qefc', `stty cols 160; ${command}`, '/dev/null'];
  const child = spawn('script', args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    press: (key) => void child.stdin.write(key),
    output: () => output,
    code,
    kill: () => void child.kill('SIGKILL'),
  };
}
