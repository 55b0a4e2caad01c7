import { join, resolve } from 'node:path';
import type { LoggingOptions } from '../app/logging.js';
import type { LogLevel } from '../base/logger.js';
import type { RunOptions } from './options.js';

type LogChoice = Pick<RunOptions, 'silent' | 'debug' | 'trace'>;

const LEVELS: readonly LogLevel[] = ['error', 'warn', 'info', 'debug', 'trace'];

/** Where the logs of a run go and what is in them, by the options and the environment. */
export function logOptions(configDir: string, options: LogChoice): LoggingOptions {
  const flag = options.trace ? 'trace' : options.debug ? 'debug' : undefined;
  const directory = process.env['LOG_DIR'];
  return {
    level: flag ?? levelOf('LOG_LEVEL') ?? 'info',
    documentLevel: levelOf('DOC_LEVEL') ?? flag ?? 'info',
    directory: directory === undefined || directory === '' ? join(configDir, 'logs') : resolve(directory),
    silent: options.silent,
  };
}

/** From the environment, or from `-DLOG_LEVEL=…` of FS_JAVA_OPTS as FSCrawler's users have it. */
function levelOf(variable: string): LogLevel | undefined {
  const java = new RegExp(`-D${variable}=(\\w+)`).exec(process.env['FS_JAVA_OPTS'] ?? '')?.[1];
  const text = (process.env[variable] ?? java)?.toLowerCase();
  return LEVELS.find((level) => level === text);
}
