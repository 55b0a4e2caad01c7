import type { CommandNode, OptionNode, Value } from './command-tree.js';

/** Completion for fish 3. Names of jobs are read from the config directory by the shell itself. */
export function fishCompletion(program: CommandNode): string {
  const names = program.commands.map(({ name }) => name).join(' ');
  const lines = [
    ...program.options.map((option) => optionLine(option, '__crawler_runs')),
    ...program.commands.map(({ name, description }) =>
      line('__crawler_is_first', ['-a', name, '-d', quoted(description)]),
    ),
    ...operandLines(program, '__crawler_is_first'),
    ...program.commands.flatMap((command) => {
      const condition = quoted(`__fish_seen_subcommand_from ${command.name}`);
      return [...command.options.map((option) => optionLine(option, condition)), ...operandLines(command, condition)];
    }),
  ];
  return `# fish completion for crawler, made by: crawler generate fish
# Put it into ~/.config/fish/completions/crawler.fish

function __crawler_jobs
  set -l folder $HOME/.crawler
  test -n "$CRAWLER_CONFIG_DIR"; and set folder $CRAWLER_CONFIG_DIR
  set -l words (commandline -opc)
  if set -l at (contains -i -- --config_dir $words)
    set folder (string replace -r '^~' $HOME -- $words[(math $at + 1)])
  end
  for path in $folder/*/_settings $folder/*/_settings.yaml $folder/*/_settings.json
    test -e $path; and basename (dirname $path)
  end
end

function __crawler_runs
  not __fish_seen_subcommand_from ${names}
end

# Nothing but options comes before the word.
function __crawler_is_first
  __crawler_runs; and test (count (string match -v -- '-*' (commandline -opc))) -eq 1
end

complete -c crawler -f
${lines.join('\n')}
`;
}

function operandLines(command: CommandNode, condition: string): readonly string[] {
  return command.arguments.flatMap(({ value }) => {
    const parts = operand(value);
    return parts === undefined ? [] : [line(condition, parts)];
  });
}

function operand(value: Value): readonly string[] | undefined {
  switch (value.kind) {
    case 'job':
      return ['-a', quoted('(__crawler_jobs) (__fish_complete_directories)')];
    case 'nothing':
      return undefined;
    default:
      return optionValue(value).slice(1);
  }
}

function optionLine({ names, description, argument, value }: OptionNode, condition: string): string {
  const flags = names.flatMap((name) => (name.startsWith('--') ? ['-l', name.slice(2)] : ['-s', name.slice(1)]));
  const values = argument === undefined ? [] : optionValue(value);
  return line(condition, [...flags, ...values, '-d', quoted(description)]);
}

/** \`-x\`: a value is required, and it is no file; \`-r\`: it may be a file. */
function optionValue(value: Value): readonly string[] {
  switch (value.kind) {
    case 'job':
      return ['-x', '-a', quoted('(__crawler_jobs)')];
    case 'folder':
      return ['-x', '-a', quoted('(__fish_complete_directories)')];
    case 'file':
      return ['-r', '-F'];
    case 'words':
      return ['-x', '-a', quoted(value.words.join(' '))];
    case 'setting':
      return ['-x', '-a', quoted(value.words.map((word) => `${word}=`).join(' '))];
    case 'nothing':
      return ['-x'];
  }
}

function line(condition: string, parts: readonly string[]): string {
  return ['complete', '-c', 'crawler', '-n', condition, ...parts].join(' ');
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
