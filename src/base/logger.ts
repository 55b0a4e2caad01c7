/** Structured logging behind an interface: the program logs through this, only app/ knows winston. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug' | 'trace';

export type LogFields = Readonly<Record<string, unknown>>;

export interface Logger {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  trace(message: string, fields?: LogFields): void;
  /** False when a line of this level would be dropped: ask before building an expensive message. */
  isEnabled(level: LogLevel): boolean;
}

/** A logger that keeps quiet; for tests and for library-like calls such as `crawler extract`. */
export const silentLogger: Logger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
  trace: () => undefined,
  isEnabled: () => false,
};
