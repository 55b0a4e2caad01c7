import type { ArgumentNode, CommandNode, OptionNode, Value } from './command-tree.js';

/** Completion for zsh, with what each word means. Names of jobs are read from the config directory by the shell itself. */
export function zshCompletion(program: CommandNode): string {
  const [first] = program.arguments;
  return `#compdef crawler
# zsh completion for crawler, made by: crawler generate zsh
# Put it as _crawler into a folder of $fpath, before compinit runs.

_crawler_jobs() {
  local folder=\${CRAWLER_CONFIG_DIR:-$HOME/.crawler}
  local at=\${words[(i)--config_dir]}
  if (( at < CURRENT )); then folder=\${words[at + 1]/#\\~/$HOME}; fi
  local -a jobs
  jobs=("$folder"/*/(_settings|_settings.yaml|_settings.json)(N:h:t))
  _wanted jobs expl job compadd -a jobs
}

_crawler_job_or_folder() {
  _alternative 'jobs:job:_crawler_jobs' 'folders:folder:_files -/'
}

_crawler_settings() {
  local -a settings
  settings=(
${settingNames(program)
  .map((name) => `    ${name}`)
  .join('\n')}
  )
  _wanted settings expl setting compadd -S = -q -a settings
}

_crawler_commands() {
  local -a commands
  commands=(
${program.commands.map(({ name, description }) => `    ${quoted(`${name}:${description}`)}`).join('\n')}
  )
  _describe -t commands command commands
}

_crawler_first() {
  _alternative 'commands:command:_crawler_commands' 'jobs:job:_crawler_job_or_folder'
}

_crawler() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C \\
${[
  ...program.options.map(optionSpec),
  `'1:${first === undefined ? '' : plain(first.description)}:_crawler_first'`,
  "'*::argument:->rest'",
]
  .map((spec) => `    ${spec}`)
  .join(' \\\n')} && return
  [[ $state == rest ]] || return 1
  case $line[1] in
${program.commands.map(commandCase).join('\n')}
  esac
}

_crawler "$@"
`;
}

function commandCase(command: CommandNode): string {
  const specs = [...command.options.map(optionSpec), ...command.arguments.map(argumentSpec)];
  return `    ${command.name})
      _arguments \\
${specs.map((spec) => `        ${spec}`).join(' \\\n')}
      ;;`;
}

function argumentSpec({ description, usage, isRepeated, value }: ArgumentNode, at: number): string {
  const place = isRepeated ? '*' : String(at + 1);
  const optional = usage.startsWith('[') && !isRepeated ? ':' : '';
  return quoted(`${place}:${optional}${plain(description === '' ? usage.slice(1, -1) : description)}:${action(value)}`);
}

/** \`--set\` may be given again and again; everything else once, under one of its names. */
function optionSpec({ names, argument, description, value }: OptionNode): string {
  const [long = '', short] = names;
  const text = `[${plain(description)}]`;
  const last = argument === undefined ? text : `${text}:${plain(argument.slice(1, -1))}:${action(value)}`;
  if (value.kind === 'setting') return quoted(`*${long}${last}`);
  if (short === undefined) return quoted(`${long}${last}`);
  return `'(${long} ${short})'{${long},${short}}${quoted(last)}`;
}

function action(value: Value): string {
  switch (value.kind) {
    case 'job':
      return '_crawler_job_or_folder';
    case 'folder':
      return '_files -/';
    case 'file':
      return '_files';
    case 'words':
      return `(${value.words.join(' ')})`;
    case 'setting':
      return '_crawler_settings';
    case 'nothing':
      return ' ';
  }
}

function settingNames(program: CommandNode): readonly string[] {
  const found = program.options.find(({ value }) => value.kind === 'setting')?.value;
  return found?.kind === 'setting' ? found.words : [];
}

/** Colons and brackets have a meaning in a specification. */
function plain(text: string): string {
  return text.replace(/[[\]:]/g, (character) => `\\${character}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
