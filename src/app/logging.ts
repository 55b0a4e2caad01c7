import type { Writable } from 'node:stream';
import winston from 'winston';
import type { Logger, LogFields, LogLevel } from '../base/logger.js';
import { logLine } from '../base/printable.js';
import { LogFile } from './log-file.js';

/**
 * The two logs: `crawler.log` (what the program does, also on the console) and `documents.log` (one line for every
 * document that was skipped, refused or removed, and at DEBUG for every one that was indexed). Both are rotated daily
 * and at 20 MB; seven old files are kept, compressed. A log that cannot be written never ends anything.
 */
export interface LoggingOptions {
  readonly level: LogLevel;
  readonly documentLevel: LogLevel;
  readonly directory: string;
  /** Nothing on the console; the log files are still written. */
  readonly silent: boolean;
}

export interface Logs {
  readonly logger: Logger;
  readonly documentLog: Logger;
  /** Resolves when everything is on disk. */
  close(): Promise<void>;
}

const LEVELS = { error: 0, warn: 1, info: 2, debug: 3, trace: 4 } as const satisfies Record<LogLevel, number>;

export function openLogs({ level, documentLevel, directory, silent }: LoggingOptions): Logs {
  const onLoss = (message: string): void => {
    if (!silent) process.stderr.write(`${message}\n`);
  };
  const files = {
    program: new LogFile({ directory, name: 'crawler', onLoss }),
    documents: new LogFile({ directory, name: 'documents', onLoss: () => undefined }),
  };
  const toFile = (stream: Writable): winston.transport => new winston.transports.Stream({ stream });
  const console = silent ? [] : [new winston.transports.Console({ stderrLevels: ['error', 'warn'] })];
  const program = createLogger(level, programLine(), [toFile(files.program), ...console]);
  const documents = createLogger(documentLevel, documentLine(), [toFile(files.documents)]);
  return {
    logger: toLogger(program),
    documentLog: toLogger(documents),
    close: async () => {
      await Promise.all([ended(program), ended(documents)]);
      await Promise.all(Object.values(files).map((file) => ended(file)));
    },
  };
}

function createLogger(
  level: LogLevel,
  format: winston.Logform.Format,
  transports: winston.transport[],
): winston.Logger {
  const log = winston.createLogger({ level, levels: LEVELS, format, transports });
  for (const source of [log, ...transports]) source.on('error', () => undefined);
  return log;
}

/** `HH:mm:ss,SSS LEVEL message {fields}` */
function programLine(): winston.Logform.Format {
  return winston.format.printf(
    ({ level, message, fields }) =>
      `${timeOf(new Date())} ${level.toUpperCase().padEnd(5)} ${logLine(String(message))}${shown(fields)}`,
  );
}

/** `yyyy-MM-dd HH:mm:ss,SSS [LEVEL] [id][virtual path] text` */
function documentLine(): winston.Logform.Format {
  return winston.format.printf(({ level, message }) => {
    const now = new Date();
    return `${dateOf(now)} ${timeOf(now)} [${level.toUpperCase()}] ${logLine(String(message))}`;
  });
}

function toLogger(log: winston.Logger): Logger {
  const write =
    (level: LogLevel) =>
    (message: string, fields?: LogFields): void => {
      if (log.writable && log.isLevelEnabled(level)) log.log(level, message, { fields });
    };
  return {
    error: write('error'),
    warn: write('warn'),
    info: write('info'),
    debug: write('debug'),
    trace: write('trace'),
    isEnabled: (level) => log.isLevelEnabled(level),
  };
}

function ended(stream: winston.Logger | Writable): Promise<void> {
  return new Promise((resolve) => {
    stream.once('finish', () => resolve());
    stream.end();
  });
}

function shown(fields: unknown): string {
  return fields === undefined ? '' : ` ${logLine(JSON.stringify(fields))}`;
}

function timeOf(date: Date): string {
  const digits = (value: number, width = 2): string => String(value).padStart(width, '0');
  return `${digits(date.getHours())}:${digits(date.getMinutes())}:${digits(date.getSeconds())},${digits(date.getMilliseconds(), 3)}`;
}

function dateOf(date: Date): string {
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
}
