import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import type { Command } from 'commander';
import { CrawlerError } from '../../base/errors.js';
import { packageRoot } from '../../base/package-root.js';
import { EXIT_OK } from '../exit-codes.js';
import { ReportLines } from '../report-lines.js';
import { writeOut } from '../write-out.js';

const FOLDER = join(packageRoot, 'docs');

/** `crawler help [topic]`: the options of a command, or a page of the manual, which is installed with the program. */
export async function help(program: Command, topic: string | undefined): Promise<number> {
  const command = program.commands.find((each) => each.name() === topic);
  if (command !== undefined) command.outputHelp();
  else if (topic === undefined) await listPages(program);
  else await writeOut(readFileSync(pageOf(topic), 'utf8'));
  return EXIT_OK;
}

async function listPages(program: Command): Promise<void> {
  program.outputHelp();
  const lines = new ReportLines();
  lines.add('', 'Pages of the manual, printed by [crawler help <page>]:');
  lines.addTable(pages().map((page) => [topicOf(page), titleOf(page)]));
  await lines.flush();
}

/** Paths below docs/, sorted by topic. */
function pages(): readonly string[] {
  const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /\.(?:md|yaml)$/.test(name)).sort((a, b) => (topicOf(a) < topicOf(b) ? -1 : 1));
}

/** `sources/ftp.md` is the page of `ftp`. */
function topicOf(page: string): string {
  return basename(page).replace(/\.\w+$/, '');
}

function titleOf(page: string): string {
  if (page.endsWith('.yaml')) return 'The HTTP service, for programs';
  return /^# (.*)$/m.exec(readFileSync(join(FOLDER, page), 'utf8'))?.[1] ?? '';
}

/** Also by its path, as other pages name it: `docs/sources/ftp.md`. */
function pageOf(topic: string): string {
  const wanted = topicOf(topic);
  const page = pages().find((each) => topicOf(each) === wanted);
  if (page !== undefined) return join(FOLDER, page.replaceAll('/', sep));
  throw new CrawlerError('usage', `There is no command and no page [${topic}]. [crawler help] lists both.`);
}
