import type { Command } from 'commander';
import { createProgram } from '../../src/cli/program.js';

/**
 * Parses a command line with the program's own parser, and runs nothing.
 * @returns what is wrong with it, or undefined
 */
export async function faultOf(args: readonly string[]): Promise<string | undefined> {
  const program = createProgram(() => undefined, { hasCommands: true });
  let excess: readonly string[] = [];
  for (const command of [program, ...program.commands]) {
    command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
    command.action((...given: unknown[]) => {
      const self = given.at(-1) as Command;
      // The program itself takes too many words, to say which command was meant.
      excess = self === program ? program.args.slice(1) : [];
    });
  }
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return excess.length === 0 ? undefined : `There is no command [${args[0]}].`;
}

/** The options that a command line names and its command does not have. */
export function unknownOptions(args: readonly string[]): readonly string[] {
  const program = createProgram(() => undefined, { hasCommands: true });
  const command = program.commands.find((each) => each.name() === args[0]) ?? program;
  const known = new Set([...command.options.flatMap(({ long, short }) => [long, short]), '--help', '-h', '--']);
  return args.filter((word) => word.startsWith('--')).filter((word) => !known.has(word.replace(/=.*/, '')));
}
