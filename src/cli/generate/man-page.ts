import type { ArgumentNode, CommandNode, OptionNode } from './command-tree.js';

/** `crawler.1` in man(7): the command line from the tree, and what is said only here. */
export function manPage(program: CommandNode, version: string): string {
  return [
    `.\\" Made by: crawler generate man`,
    `.TH CRAWLER 1 ${CHANGED} "document\\-crawler ${roff(version)}" "User Commands"`,
    '.SH NAME',
    'crawler \\- keep a search index in sync with a tree of documents',
    '.SH SYNOPSIS',
    ...synopses(program),
    '.SH DESCRIPTION',
    text(`${program.description} Without an engine in the settings the index is a file of the job.`),
    '.PP',
    text(
      'A job is a folder in the config directory that holds settings. A path makes a job for that folder, named after it.',
    ),
    '.SH OPTIONS',
    'Options of a run:',
    ...options(program),
    '.SH COMMANDS',
    ...program.commands.flatMap(commandSection),
    ...section('FILES', FILES),
    ...section('ENVIRONMENT', ENVIRONMENT),
    ...section('EXIT STATUS', EXIT_STATUS),
    ...section('SIGNALS', SIGNALS),
    '.SH EXAMPLES',
    ...EXAMPLES.flatMap(([meaning, command], at) => [
      ...(at === 0 ? [] : ['.PP']),
      text(meaning),
      '.PP',
      '.nf',
      `.RS\n${roff(command)}`,
      '.RE',
      '.fi',
    ]),
    '.SH SEE ALSO',
    text('[crawler help] lists the pages of the manual, and [crawler help settings] prints the one of all settings.'),
    '',
  ].join('\n');
}

/** The day of the last change to the texts of this file, as is the custom: the day of printing would differ each time. */
const CHANGED = '2026-11-22';

type Entries = readonly (readonly [term: string, meaning: string])[];

const FILES: Entries = [
  ['~/.crawler/<job>/_settings.yaml', 'settings of a job; [crawler <job> --setup] writes them with explanations'],
  ['~/.crawler/<job>/index.db', 'the embedded index. When it is lost, the tree is indexed again'],
  ['~/.crawler/<job>/catalog.db', 'what is known of each file. When it is lost, it is rebuilt from the index'],
  ['~/.crawler/<job>/_checkpoint.json', 'where the last run stands'],
  [
    '~/.crawler/logs',
    'crawler.log, what the program did; documents.log, what became of each document that was not indexed',
  ],
];
const ENVIRONMENT: Entries = [
  ['CRAWLER_CONFIG_DIR', 'the config directory, unless --config_dir names one'],
  ['CRAWLER_<SETTING>', 'a setting, such as CRAWLER_FS_UPDATE_RATE for fs.update_rate'],
  ['LOG_DIR, LOG_LEVEL, DOC_LEVEL', 'the folder of the logs; the levels of crawler.log and documents.log'],
  ['FS_JAVA_OPTS', 'understood as FSCrawler understands it'],
];
const EXIT_STATUS: Entries = [
  ['0', 'the runs are done, or a signal stopped the program cleanly; the answer of a command is yes'],
  [
    '1',
    'wrong settings, an engine that cannot be reached, a run that ended in an error, a job that another process runs; the answer is no',
  ],
  ['2', 'the command line is wrong'],
];
const SIGNALS: Entries = [
  [
    'SIGINT, SIGTERM, SIGHUP',
    'stop cleanly: what is under way is finished, at most 30 seconds, and the next start resumes there. A second one ends the program at once; nothing is lost',
  ],
];
const EXAMPLES: Entries = [
  ['Index a folder once, and search it:', 'crawler ~/Documents --loop 1\ncrawler search ~/Documents "annual report"'],
  ['Keep the index in sync, and answer HTTP:', 'crawler ~/Documents --rest'],
  ['Find out why a file is not found:', 'crawler why ~/Documents/old/report.doc'],
];

function synopses(program: CommandNode): readonly string[] {
  const run = usage(program);
  return [run, ...program.commands.map((command) => `.br\n${usage(command)}`)];
}

function usage({ name, arguments: args }: CommandNode): string {
  const words = args.map((each) => roff(each.usage)).join(' ');
  return `.B crawler${name === '' ? '' : ` ${roff(name)}`}\n${words === '' ? '' : `${words} `}[\\fIoptions\\fR]`;
}

function commandSection(command: CommandNode): readonly string[] {
  return [
    `.SS "crawler ${roff([command.name, ...command.arguments.map((each) => each.usage)].join(' '))}"`,
    text(sentence(command.description)),
    ...command.arguments.flatMap(argument),
    ...options(command),
  ];
}

function argument({ usage: term, description }: ArgumentNode): readonly string[] {
  return description === '' ? [] : ['.TP', `.I ${roff(term.slice(1, -1))}`, text(description)];
}

function options(command: CommandNode): readonly string[] {
  return command.options.flatMap(({ names, argument: value, description, fallback }: OptionNode) => {
    const shown = names.map((name) => `\\fB${roff(name)}\\fR`).join(', ');
    const meaning = fallback === undefined ? description : `${description}. Default: ${fallback}`;
    return ['.TP', value === undefined ? shown : `${shown} \\fI${roff(value)}\\fR`, text(meaning)];
  });
}

function section(name: string, entries: Entries): readonly string[] {
  return [`.SH ${name}`, ...entries.flatMap(([term, meaning]) => ['.TP', `.B ${roff(term)}`, text(sentence(meaning))])];
}

function sentence(words: string): string {
  const start = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.:!?]$/.test(start) ? start : `${start}.`;
}

/** A line of text: what looks like a request of roff at its start is not one. */
function text(words: string): string {
  return roff(words).replace(/^([.'])/, '\\&$1');
}

function roff(words: string): string {
  return words.replaceAll('\\', '\\e').replaceAll('-', '\\-');
}
