import { Argument, Command } from 'commander';
import { generatedNames, type BackupOptions, type GeneratedName, type GenerateOptions } from './options.js';
import { configDir, setOption } from './shared-options.js';

/** The commands for whoever installs the program and keeps it running (docs/operating.md, docs/service.md). */
export function addOperatingCommands(program: Command, setExitCode: (code: number) => void): void {
  program.addCommand(backupCommand(setExitCode));
  program.addCommand(generateCommand(program, setExitCode));
  program.helpCommand(false);
  program.addCommand(helpCommand(program, setExitCode));
}

function backupCommand(setExitCode: (code: number) => void): Command {
  return new Command('backup')
    .description('copy settings, catalog and embedded index of a job into a new folder, also while it runs')
    .argument('[job]', 'name of a job, or its folder')
    .requiredOption('--to <folder>', 'a folder that does not exist yet')
    .addOption(configDir())
    .addOption(setOption())
    .option('--json', 'for programs: JSON instead of sentences', false)
    .exitOverride()
    .action(async (job: string | undefined, options: BackupOptions) => {
      const { backup } = await import('./commands/backup.js');
      setExitCode(await backup(job, options));
    });
}

function generateCommand(program: Command, setExitCode: (code: number) => void): Command {
  return new Command('generate')
    .description('print completions for a shell, the manual page, or the description of a service')
    .addArgument(new Argument('<what>', 'what to print').choices(generatedNames))
    .argument('[job]', 'the job that the service runs; systemd without one: a template for all jobs')
    .option('--user', 'systemd: a unit of one user instead of the system', false)
    .exitOverride()
    .action(async (what: GeneratedName, job: string | undefined, options: GenerateOptions) => {
      const { generate } = await import('./commands/generate.js');
      setExitCode(await generate(program, what, job, options));
    });
}

function helpCommand(program: Command, setExitCode: (code: number) => void): Command {
  return new Command('help')
    .description('print the options of a command, or a page of the manual')
    .argument('[topic]', 'a command or a page; without it both are listed')
    .exitOverride()
    .action(async (topic: string | undefined) => {
      const { help } = await import('./commands/help.js');
      setExitCode(await help(program, topic));
    });
}
