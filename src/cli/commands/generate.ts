import type { Command } from 'commander';
import { packageVersion } from '../../base/package-root.js';
import { bashCompletion } from '../generate/bash-completion.js';
import { describeCommand } from '../generate/command-tree.js';
import { fishCompletion } from '../generate/fish-completion.js';
import { launchdAgent } from '../generate/launchd-agent.js';
import { manPage } from '../generate/man-page.js';
import { thisProgram } from '../generate/service.js';
import { systemdUnit } from '../generate/systemd-unit.js';
import { winswService } from '../generate/winsw-service.js';
import { zshCompletion } from '../generate/zsh-completion.js';
import { EXIT_OK } from '../exit-codes.js';
import type { GeneratedName, GenerateOptions } from '../options.js';
import { writeOut } from '../write-out.js';

const GENERATORS = {
  bash: (program) => bashCompletion(describeCommand(program)),
  zsh: (program) => zshCompletion(describeCommand(program)),
  fish: (program) => fishCompletion(describeCommand(program)),
  man: (program) => manPage(describeCommand(program), packageVersion()),
  systemd: (_, job, { user }) => systemdUnit(thisProgram(job), user),
  launchd: (_, job) => launchdAgent(thisProgram(job)),
  winsw: (_, job) => winswService(thisProgram(job)),
} satisfies Record<GeneratedName, Generator>;

type Generator = (program: Command, job: string | undefined, options: GenerateOptions) => string;

/** `crawler generate <what> [job]`: prints, and changes nothing. */
export async function generate(
  program: Command,
  what: GeneratedName,
  job: string | undefined,
  options: GenerateOptions,
): Promise<number> {
  await writeOut(GENERATORS[what](program, job, options));
  return EXIT_OK;
}
