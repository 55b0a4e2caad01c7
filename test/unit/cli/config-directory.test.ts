import { resolve } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram } from '../../../src/cli/program.js';

const before = process.env['CRAWLER_CONFIG_DIR'];
afterEach(() => {
  if (before === undefined) delete process.env['CRAWLER_CONFIG_DIR'];
  else process.env['CRAWLER_CONFIG_DIR'] = before;
});

/** They look into no job. */
const WITHOUT_JOBS = ['extract', 'generate', 'help'];

function allOf(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(allOf)];
}

test('every command that looks for jobs looks where CRAWLER_CONFIG_DIR says, unless --config_dir says otherwise', () => {
  process.env['CRAWLER_CONFIG_DIR'] = '/srv/jobs';
  const commands = allOf(createProgram(() => undefined, { hasCommands: true }));
  const withJobs = commands.filter((each) => each.options.some(({ long }) => long === '--config_dir'));
  const others = commands.filter((each) => !withJobs.includes(each) && !WITHOUT_JOBS.includes(each.name()));
  expect(others.map((each) => each.name())).toEqual([]);
  for (const command of withJobs) {
    expect(resolve(String(command.opts()['config_dir']))).toBe('/srv/jobs');
    command.parseOptions(['--config_dir', '/other']);
    expect(command.opts()['config_dir']).toBe('/other');
  }
});
