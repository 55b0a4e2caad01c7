import { resolve } from 'node:path';
import { env } from 'node:process';
import { shellQuoted } from '../base/shell-quote.js';
import { defaultConfigDir } from './config-dir.js';

export interface CrawlerCommand {
  /** `failures`; left out for a run. */
  readonly command?: string;
  /** A job, a path, words to find. */
  readonly operands?: readonly string[];
  /** `['--loop', '1']`. */
  readonly options?: readonly string[];
  /** Named where it is not the one that is taken by default. */
  readonly configDir?: string | undefined;
}

/** A command of this program as a message shows it, such that it can be pasted into a shell: `crawler failures 'My Files'`. */
export function crawlerCommand({ command, operands = [], options = [], configDir }: CrawlerCommand): string {
  const place =
    configDir === undefined || resolve(configDir) === resolve(defaultConfigDir(env)) ? [] : ['--config_dir', configDir];
  const start = ['crawler', ...(command === undefined ? [] : [command])];
  const isAmbiguous =
    operands.some((word) => word.startsWith('-')) || (command === undefined && operands.some(isCommand));
  const words = isAmbiguous
    ? [...start, ...options, ...place, '--', ...operands]
    : [...start, ...operands, ...options, ...place];
  return words.map(shellQuoted).join(' ');
}

/** The commands besides a run. A job may have the name of one: then `--` stands in front of it. */
export const commandNames = [
  'search',
  'why',
  'failures',
  'verify',
  'plan',
  'doctor',
  'extract',
  'approve',
  'push',
  'backup',
  'mcp',
  'generate',
] as const;

export function isCommand(word: string): boolean {
  return word === 'help' || commandNames.some((name) => name === word);
}
