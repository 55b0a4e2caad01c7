import type { Argument, Command, Option } from 'commander';
import { reasons } from '../../model/reason.js';
import { settingRows } from '../../settings/setting-table.js';

/** The command line as plain data: what man page and completions are made of. */
export interface CommandNode {
  /** Empty for the program itself: a run. */
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly ArgumentNode[];
  readonly options: readonly OptionNode[];
  readonly commands: readonly CommandNode[];
}

export interface ArgumentNode {
  /** As in a line of usage: `<path>`, `[job]`, `[query...]`. */
  readonly usage: string;
  readonly description: string;
  readonly isRepeated: boolean;
  readonly value: Value;
}

export interface OptionNode {
  /** `--loop`, `-h`. */
  readonly names: readonly string[];
  /** `<runs>`; undefined for a switch. */
  readonly argument: string | undefined;
  /** What holds without the option, where that is a value. */
  readonly fallback: string | undefined;
  readonly description: string;
  readonly value: Value;
}

/** What a shell can offer in the place of an argument. */
export type Value =
  | { readonly kind: 'job' | 'folder' | 'file' | 'nothing' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'setting'; readonly words: readonly string[] };

const NOTHING: Value = { kind: 'nothing' };
const SETTING: Value = { kind: 'setting', words: settingRows.map(({ path }) => path) };

export function describeCommand(command: Command, isProgram = true): CommandNode {
  const help = command.createHelp();
  return {
    name: isProgram ? '' : command.name(),
    description: command.description(),
    arguments: command.registeredArguments.map(describeArgument),
    options: help.visibleOptions(command).map(describeOption),
    commands: command.commands.map((each) => describeCommand(each, false)),
  };
}

function describeArgument(argument: Argument): ArgumentNode {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return {
    usage: argument.required ? `<${name}>` : `[${name}]`,
    description: argument.description,
    isRepeated: argument.variadic,
    value: argument.argChoices === undefined ? valueOf(argument.name()) : words(argument.argChoices),
  };
}

function describeOption(option: Option): OptionNode {
  const argument = /[<[].*$/.exec(option.flags)?.[0];
  const names = [option.long, option.short].filter((name) => name !== undefined);
  const value = option.argChoices === undefined ? optionValue(option.long ?? '', argument) : words(option.argChoices);
  return { names, argument, fallback: fallbackOf(option), description: option.description, value };
}

function fallbackOf({ defaultValue, defaultValueDescription }: Option): string | undefined {
  if (defaultValueDescription !== undefined)
    return defaultValueDescription === '' ? undefined : defaultValueDescription;
  return typeof defaultValue === 'number' ? String(defaultValue) : undefined;
}

function optionValue(name: string, argument: string | undefined): Value {
  if (argument === undefined) return NOTHING;
  if (name === '--set') return SETTING;
  if (name === '--job') return { kind: 'job' };
  if (name === '--reason') return words(Object.keys(reasons));
  return valueOf(argument.slice(1, -1));
}

function valueOf(name: string): Value {
  switch (name) {
    case 'job':
    case 'folder':
    case 'file':
      return { kind: name };
    // The first word of a search may be a job or a folder.
    case 'words':
      return { kind: 'job' };
    case 'files':
    case 'path':
    case 'files':
      return { kind: 'file' };
    // The first of the words of a search may be a job.
    case 'words':
      return { kind: 'job' };
    default:
      return NOTHING;
  }
}

function words(given: readonly string[]): Value {
  return { kind: 'words', words: given };
}
