import { Command, InvalidArgumentError, Option } from 'commander';
import { addInspectCommands } from './inspect-commands.js';
import { addOperatingCommands } from './operating-commands.js';
import {
  mcpClients,
  type ApproveOptions,
  type CommandLine,
  type McpOptions,
  type PushOptions,
  type RunOptions,
  type SearchOptions,
} from './options.js';
import { startThreadAhead } from '../base/start-thread.js';
import { sortOrders } from '../search/sort-order.js';
import { configDir, setOption } from './shared-options.js';

/**
 * The command line. Commands are loaded when they are used, so that `--help` costs nothing.
 * @param setExitCode called by a command that ended normally with another code than 0
 * @param options `hasCommands`: without them there is only the run of a job, whatever it is called
 */
export function createProgram(
  setExitCode: (code: number) => void,
  { hasCommands }: { readonly hasCommands: boolean },
): Command {
  const program = new Command('crawler')
    .description(
      'Keeps a search index in sync with a tree of documents, and takes documents over HTTP into the same index.',
    )
    .argument('[job]', 'name of a job, or a folder (./docs, /data, ~/x)')
    .enablePositionalOptions()
    // What is too much may be a command that was misspelt: run() says so.
    .allowExcessArguments(true)
    .exitOverride();
  addRunOptions(program).action(async (job: string | undefined, options: RunOptions, command: Command) => {
    const { run } = await import('./commands/run.js');
    setExitCode(await run(job, options, commandLine(command)));
  });
  if (hasCommands) addCommands(program, setExitCode);
  program.addHelpText('after', EXAMPLES);
  for (const command of [program, ...program.commands]) {
    const name = command === program ? 'crawler' : `crawler ${command.name()}`;
    command.showHelpAfterError(`[${name} --help] shows what it takes.`);
  }
  return program;
}

function addCommands(program: Command, setExitCode: (code: number) => void): void {
  program.addCommand(searchCommand(setExitCode));
  program.addCommand(pushCommand(setExitCode));
  program.addCommand(approveCommand(setExitCode));
  program.addCommand(mcpCommand(setExitCode));
  addInspectCommands(program, setExitCode);
  addOperatingCommands(program, setExitCode);
}

function commandLine(command: Command): CommandLine {
  const given = Object.keys(command.opts()).filter((name) => command.getOptionValueSource(name) === 'cli');
  return {
    excess: command.args.slice(1),
    isBare: command.args.length === 0 && given.every((name) => name === 'config_dir'),
    printHelp: () => command.outputHelp(),
  };
}

function addRunOptions(program: Command): Command {
  return program
    .addOption(configDir())
    .option('--loop <runs>', 'number of runs; -1 runs without end, 0 crawls nothing (for --rest)', toRuns, -1)
    .option('--restart', 'discard the progress of the last run and index every file again', false)
    .option('--watch', 'index changes at once, besides the regular scans', false)
    .option('--rest', 'also start the REST service', false)
    .option('--setup', 'write a commented settings file for the job, and stop', false)
    .option('--list', 'list the jobs, and stop', false)
    .option('--silent', 'nothing on the console; the log files are still written', false)
    .option('--debug', 'log more', false)
    .option('--trace', 'log everything', false)
    .addOption(setOption())
    .addOption(
      new Option('--upgrade', 'accepted for compatibility with FSCrawler; there is nothing to upgrade')
        .default(false)
        .hideHelp(),
    )
    .addOption(new Option('--username <name>', 'known from FSCrawler').hideHelp())
    .addOption(new Option('--api_key <key>', 'known from FSCrawler').hideHelp())
    .option('--version', 'print the version');
}

function searchCommand(setExitCode: (code: number) => void): Command {
  return new Command('search')
    .description("search a job's index")
    .usage('[job|path] <words...> [options]')
    .argument(
      '[words...]',
      'words to find; "a phrase", begin*, a | b, -not, type:pdf in:folder author: after: before: name: ext: lang:. The first may be a job, or a folder to search below',
    )
    .addOption(configDir())
    .addOption(setOption())
    .option('--index <name>', 'another index of the job, such as the one of the folders')
    .option('--json', 'one JSON line for each hit', false)
    .option('--all', 'every document of the index instead of a search', false)
    .option('--size <hits>', 'number of hits', toInteger, 10)
    .option('--from <hits>', 'pass over so many hits', toInteger, 0)
    .addOption(new Option('--sort <order>', 'order of the hits').choices(sortOrders).default('relevance'))
    .addOption(repeatable('--type <type>', 'only documents of this type, such as pdf, mail, image (repeatable)'))
    .addOption(repeatable('--in <folder>', 'only what lies in this folder below the root of the job (repeatable)'))
    .addOption(repeatable('--author <name>', 'only documents of this author (repeatable)'))
    .option('--since <date>', 'only what was changed at this date or later: 2024, 2024-03 or 2024-03-31')
    .option('--until <date>', 'only what was changed at this date or before')
    .option('--facets', 'also count what is found by type, folder, date, size, author and language', false)
    .exitOverride()
    .action(async (words: readonly string[], options: SearchOptions) => {
      // The embedded index is searched by a thread, which gets ready beside the command.
      startThreadAhead('index-reader');
      const { search } = await import('./commands/search.js');
      setExitCode(await search(words, options));
    });
}

function repeatable(flags: string, description: string): Option {
  return new Option(flags, description)
    .default([], '')
    .argParser((value: string, before: readonly string[]) => [...before, value]);
}

function pushCommand(setExitCode: (code: number) => void): Command {
  return new Command('push')
    .description("copy a job's embedded index into Elasticsearch or OpenSearch, without reading the tree again")
    .argument('<job>', 'name of a job, or its folder')
    .requiredOption('--to <url>', 'address of the engine; credentials go with --set engine.api_key=…')
    .addOption(configDir())
    .addOption(setOption())
    .exitOverride()
    .action(async (job: string, options: PushOptions) => {
      const { push } = await import('./commands/push.js');
      setExitCode(await push(job, options));
    });
}

function approveCommand(setExitCode: (code: number) => void): Command {
  return new Command('approve')
    .description('approve the deletions that the last scan held back')
    .argument('[job]', 'name of a job, or its folder')
    .addOption(configDir())
    .addOption(setOption())
    .exitOverride()
    .action(async (job: string | undefined, options: ApproveOptions) => {
      const { approve } = await import('./commands/approve.js');
      setExitCode(await approve(job, options));
    });
}

function mcpCommand(setExitCode: (code: number) => void): Command {
  return new Command('mcp')
    .description("serve assistants over stdin and stdout (MCP): they search and read a job's documents")
    .argument('<job>', 'name of a job, or its folder')
    .option('--crawl', 'also crawl the job here, and watch it, unless another crawler does', false)
    .option('--allow-add', 'let assistants add documents; needs the job for itself', false)
    .addOption(
      new Option('--print-config <client>', 'print what belongs into the configuration of a client').choices(
        mcpClients,
      ),
    )
    .addOption(configDir())
    .addOption(setOption())
    .exitOverride()
    .action(async (job: string, options: McpOptions) => {
      const { mcp } = await import('./commands/mcp.js');
      setExitCode(await mcp(job, options));
    });
}

function toInteger(text: string): number {
  if (!/^[+-]?\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function toRuns(text: string): number {
  const runs = toInteger(text);
  if (runs < -1)
    throw new InvalidArgumentError('It is -1 to run without end, 0 to crawl nothing, or a number of runs.');
  return runs;
}

const EXAMPLES = `
Examples:
  crawler ./docs --loop 1        index a folder once
  crawler search ./docs invoice  find something in it
  crawler my_job --rest          run a job of the config folder, with the REST service
  crawler my_job --setup         begin a job
  crawler help settings          print a page of the manual
`;
