import { Command } from 'commander';
import type {
  DoctorOptions,
  ExtractOptions,
  FailuresOptions,
  PlanOptions,
  VerifyOptions,
  WhyOptions,
} from './options.js';
import { configDir, setOption } from './shared-options.js';

/** The commands that look at a job and change nothing by themselves (docs/trust.md). */
export function addInspectCommands(program: Command, setExitCode: (code: number) => void): void {
  program.addCommand(whyCommand(setExitCode));
  program.addCommand(verifyCommand(setExitCode));
  program.addCommand(failuresCommand(setExitCode));
  program.addCommand(planCommand(setExitCode));
  program.addCommand(doctorCommand(setExitCode));
  program.addCommand(extractCommand(setExitCode));
}

function command(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(configDir())
    .addOption(setOption())
    .option('--json', 'for programs: JSON instead of sentences', false)
    .exitOverride();
}

const JOB = 'name of a job, or its folder';

function whyCommand(setExitCode: (code: number) => void): Command {
  return command('why', 'say why a file is in the index, or why it is not')
    .argument('<path>', 'a file or folder; or a job, followed by the path')
    .argument('[path]')
    .option('--job <name>', 'the job, when several crawl the path')
    .action(async (first: string, second: string | undefined, options: WhyOptions) => {
      const { why } = await import('./commands/why.js');
      setExitCode(await why(second ?? first, second === undefined ? options : { ...options, job: first }));
    });
}

function verifyCommand(setExitCode: (code: number) => void): Command {
  return command('verify', 'compare tree, catalog and index, and name every difference')
    .argument('[job]', JOB)
    .option('--fix', 'repair the differences with a scan, and compare again', false)
    .option('--deep', 'compare the contents of the files too', false)
    .option('--acknowledge', 'confirm that you have read what the index has lost', false)
    .action(async (job: string | undefined, options: VerifyOptions) => {
      const { verify } = await import('./commands/verify.js');
      setExitCode(await verify(job, options));
    });
}

function failuresCommand(setExitCode: (code: number) => void): Command {
  return command('failures', 'list the files that are not in the index, or there without their text')
    .argument('[job]', JOB)
    .option('--reason <code>', 'only these, such as encrypted or excluded')
    .option('--all', 'also list what a rule leaves out', false)
    .option('--retry', 'try them again', false)
    .action(async (job: string | undefined, options: FailuresOptions) => {
      const { failures } = await import('./commands/failures.js');
      setExitCode(await failures(job, options));
    });
}

function planCommand(setExitCode: (code: number) => void): Command {
  return command('plan', 'say what the next scan would do, and how long it may take; nothing is written')
    .argument('[job]', 'name of a job, or a folder')
    .action(async (job: string | undefined, options: PlanOptions) => {
      const { plan } = await import('./commands/plan.js');
      setExitCode(await plan(job, options));
    });
}

function doctorCommand(setExitCode: (code: number) => void): Command {
  return command('doctor', 'check the machine and a job, and say what to do')
    .argument('[job]', JOB)
    .action(async (job: string | undefined, options: DoctorOptions) => {
      const { doctor } = await import('./commands/doctor.js');
      setExitCode(await doctor(job, options));
    });
}

function extractCommand(setExitCode: (code: number) => void): Command {
  return command('extract', 'show what is extracted from files: type, text, metadata, members, time')
    .argument('<files...>', 'files of this machine')
    .option('--job <name>', 'with the settings of this job')
    .option('--password <password>', 'the only password to try')
    .action(async (files: readonly string[], options: ExtractOptions) => {
      const { extract } = await import('./commands/extract.js');
      setExitCode(await extract(files, options));
    });
}
