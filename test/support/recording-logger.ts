import type { Logger, LogLevel } from '../../src/base/logger.js';

/** Keeps the lines, so that a test can read what a person would have been told. */
export class RecordingLogger implements Logger {
  readonly lines: { readonly level: LogLevel; readonly message: string }[] = [];

  error = this.#at('error');
  warn = this.#at('warn');
  info = this.#at('info');
  debug = this.#at('debug');
  trace = this.#at('trace');

  isEnabled(): boolean {
    return true;
  }

  messages(level: LogLevel): readonly string[] {
    return this.lines.filter((line) => line.level === level).map(({ message }) => message);
  }

  #at(level: LogLevel): (message: string) => void {
    return (message) => this.lines.push({ level, message });
  }
}
