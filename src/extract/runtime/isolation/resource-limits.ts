import { readFileSync } from 'node:fs';
import { findTool } from './find-tool.js';
import type { Command } from './sandbox-backend.js';

/** More than a process ever has open. */
const MOST_FILES = 256;
/** V8 and WebAssembly reserve memory beside that which they use: below this factor Node 24 fails on ordinary documents. */
const RESERVE = 2;

/**
 * The command with limits of the kernel, where the tool `prlimit` is installed: an allocation beyond the memory of a process
 * fails at once, long before the watchdog looks; it writes to no file and leaves no core dump.
 */
export function withResourceLimits(command: Command, memoryBytes: number): Command {
  const tool = process.platform === 'linux' ? findTool('prlimit') : undefined;
  if (tool === undefined) return command;
  const limits = [
    ...lowered('data', 'Max data size', RESERVE * memoryBytes),
    ...lowered('nofile', 'Max open files', MOST_FILES),
  ];
  return { file: tool, args: [...limits, '--core=0', '--fsize=0', '--', command.file, ...command.args] };
}

/** Nothing where the limit of this process is lower: without rights of root it cannot be raised. */
function lowered(option: string, name: string, value: number): readonly string[] {
  const own = new RegExp(`^${name}\\s+\\S+\\s+(\\S+)`, 'm').exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
  return own === 'unlimited' || Number(own) >= value ? [`--${option}=${Math.floor(value)}`] : [];
}
