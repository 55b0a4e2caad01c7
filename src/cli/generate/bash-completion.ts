import type { CommandNode, OptionNode, Value } from './command-tree.js';

/** What the completion of words is made of, whatever the commands are. */
const HELPERS = `# The names of the jobs. Readline quotes what needs it, as in names of files.
_crawler_jobs() {
  compopt -o filenames 2>/dev/null
  _crawler_offer < <(_crawler_job_names)
}

_crawler_job_names() {
  local folder=\${CRAWLER_CONFIG_DIR:-$HOME/.crawler} at path
  for ((at = 1; at < COMP_CWORD; at++)); do
    if [[ \${COMP_WORDS[at]} == --config_dir ]]; then folder=\${COMP_WORDS[at + 1]}; fi
  done
  if [[ $folder == '~'* ]]; then folder=$HOME\${folder:1}; fi
  for path in "$folder"/*/_settings "$folder"/*/_settings.yaml "$folder"/*/_settings.json; do
    [[ -e $path ]] || continue
    path=\${path%/*}
    printf '%s\\n' "\${path##*/}"
  done
}

# Offers the lines of standard input that begin with the word.
_crawler_offer() {
  local word=\${cur//\\\\/} line
  word=\${word#[\\"\\']}
  while IFS= read -r line; do
    if [[ $line == "$word"* ]]; then COMPREPLY+=("$line"); fi
  done
}

_crawler_folders() {
  compopt -o filenames 2>/dev/null
  local path
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen -d -- "$cur")
}

_crawler_files() {
  compopt -o filenames 2>/dev/null
  local path
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen -f -- "$cur")
}
`;

/**
 * Completion for bash 4 and newer. The script is static: names of jobs are read from the config directory by the shell itself, since
 * starting Node takes longer than a person waits for TAB. With bash's own `=` in COMP_WORDBREAKS, `--set fs.url=x` comes as
 * three words.
 */
export function bashCompletion(program: CommandNode): string {
  const commands = [program, ...program.commands];
  return `# bash completion for crawler, made by: crawler generate bash
# Put it into ~/.local/share/bash-completion/completions/crawler, or into a file that ~/.bashrc reads.

${HELPERS}
_crawler() {
  local cur=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command='' operands=0 at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    case \${COMP_WORDS[at]} in
      ${withValue(commands).join(' | ')}) ((at++)) ;;
      -* | =) ;;
      ${program.commands.map(({ name }) => name).join(' | ')})
        if [[ $command$operands == 0 ]]; then command=\${COMP_WORDS[at]}; else ((operands++)); fi
        ;;
      *) ((operands++)) ;;
    esac
  done
  case $previous in
${optionCases(commands)}
  esac
  if [[ $cur == -* ]]; then
    case $command in
${commands.map((command) => `      ${pattern(command.name)}) _crawler_offer < <(${lines(optionNames(command))}) ;;`).join('\n')}
    esac
    return
  fi
  case $command:$operands in
${commands.flatMap((command) => operandCases(command)).join('\n')}
  esac
}

complete -F _crawler crawler
`;
}

/** An option has the same kind of value in every command, but for \`--to\`: the last word decides what it is. */
function optionCases(commands: readonly CommandNode[]): string {
  const cases = new Map<string, Value>();
  for (const { options } of commands)
    for (const { names, argument, value } of options)
      if (argument !== undefined)
        for (const name of names) if (cases.get(name)?.kind !== 'folder') cases.set(name, value);
  return [...cases].map(([name, value]) => `    ${name}) ${offer(value)}; return ;;`).join('\n');
}

/** What may stand in each place after the command; the first word may also be a command. */
function operandCases(command: CommandNode): readonly string[] {
  return command.arguments.flatMap(({ value, isRepeated }, at) => {
    const offers = offer(value);
    const names = `_crawler_offer < <(${lines(command.commands.map(({ name }) => name))})`;
    const all = command.name === '' && at === 0 ? `${names}; ${offers}` : offers;
    return all === ':' ? [] : [`    ${command.name}:${isRepeated ? '*' : at}) ${all} ;;`];
  });
}

function withValue(commands: readonly CommandNode[]): readonly string[] {
  const options = commands.flatMap((command) => command.options).filter(({ argument }) => argument !== undefined);
  return [...new Set(options.flatMap(({ names }) => names))];
}

function offer(value: Value): string {
  switch (value.kind) {
    case 'job':
      return '_crawler_jobs; _crawler_folders';
    case 'folder':
      return '_crawler_folders';
    case 'file':
      return '_crawler_files';
    case 'words':
      return `_crawler_offer < <(${lines(value.words)})`;
    case 'setting':
      return `compopt -o nospace 2>/dev/null; _crawler_offer < <(${lines(value.words.map((word) => `${word}=`))})`;
    case 'nothing':
      return ':';
  }
}

function optionNames({ options }: CommandNode): readonly string[] {
  return options.flatMap(({ names }: OptionNode) => names);
}

function lines(words: readonly string[]): string {
  return `printf '%s\\n' ${words.join(' ')}`;
}

function pattern(name: string): string {
  return name === '' ? "''" : name;
}
