import { CommanderError } from 'commander';
import { isDiskFull } from '../base/disk-full.js';
import { CrawlerError, messageOf } from '../base/errors.js';
import { printable, printableText } from '../base/printable.js';
import { endThreadsAhead } from '../base/start-thread.js';
import { maskNewFiles } from '../state/private-files.js';
import { EXIT_FAILURE, EXIT_OK, EXIT_USAGE, exitCodeOf } from './exit-codes.js';
import { createProgram } from './program.js';
import { stopRequest } from './signals.js';

/** Runs one command line (without node and script) and returns the exit code. The only catch-all of the program. */
export async function main(argv: readonly string[]): Promise<number> {
  // A console that is gone, or a file behind it that is full, is no reason to end what is under way.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  maskNewFiles();
  let exitCode = EXIT_OK;
  const setExitCode = (code: number): void => {
    exitCode = code;
  };
  try {
    const program = createProgram(setExitCode, { hasCommands: !namesJob(argv) });
    await program.parseAsync(argv, { from: 'user' });
    if (stopRequest().by !== undefined) stopRequest().exitAfter(LEFTOVERS_MS, exitCode);
    return exitCode;
  } catch (error) {
    return stopRequest().by === undefined ? report(error) : reportStop(error);
  } finally {
    await endThreadsAhead();
  }
}

/** `crawler --loop 1 -- plan`: behind `--` stands a job, even if it is called like a command. */
function namesJob(argv: readonly string[]): boolean {
  const at = argv.indexOf('--');
  if (at < 0) return false;
  try {
    const program = createProgram(() => undefined, { hasCommands: true });
    program.configureOutput({ writeErr: () => undefined });
    return program.parseOptions(argv.slice(0, at)).operands.length === 0;
  } catch {
    // The options are wrong, which is reported when they are actually parsed.
    return false;
  }
}

/** What still keeps the process alive, such as a timer of a library, must not keep the person waiting after a stop. */
const LEFTOVERS_MS = 1_000;

/** A command that a signal has ended says so with its exit code, as a shell would. */
function reportStop(error: unknown): number {
  if (!(error instanceof CrawlerError) || error.code !== 'cancelled') return report(error);
  console.error(printableText(error.message));
  const stop = stopRequest();
  stop.endAfter(LEFTOVERS_MS);
  return stop.exitCode;
}

/** A CrawlerError is a sentence for the person; anything else is a fault of ours and shows where. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
  if (error instanceof CrawlerError) {
    console.error(printableText(error.message));
    return exitCodeOf(error.code);
  }
  if (isDiskFull(error)) {
    console.error(
      printable(`A disk is full or rejects writes: ${messageOf(error)}. Free some space, and start again.`),
    );
    return EXIT_FAILURE;
  }
  console.error(`Fatal error received while running the crawler: [${printable(messageOf(error))}]`);
  if (error instanceof Error && error.stack !== undefined) console.error(error.stack);
  return EXIT_FAILURE;
}
