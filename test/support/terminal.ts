import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface Terminal {
  readonly press: (key: string) => void;
  readonly output: () => string;
  readonly code: Promise<number | null>;
  readonly kill: () => void;
}

export const CTRL_C = '\u0003';

/** The real binary in a pseudo-terminal. `script` (util-linux) makes it, and hands the exit code on. */
export function inTerminal(args: readonly string[]): Terminal {
  const binary = join(process.cwd(), 'bin', 'crawler.js');
  const program = [process.execPath, binary, ...args].map((each) => `'${each}'`).join(' ');
  const command = `stty cols 160; exec ${program}`;
  const child = spawn('script', ['-qefc', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });
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
