import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { defaultConfigDir } from '../../../src/settings/config-dir.js';
import { crawlerCommand } from '../../../src/settings/crawler-command.js';

describe('a command in a message', () => {
  test.each([
    [{ operands: ['docs'] }, 'crawler docs'],
    [{ operands: ['docs'], options: ['--loop', '1'] }, 'crawler docs --loop 1'],
    [{ command: 'failures', operands: ['My Files (2)'] }, "crawler failures 'My Files (2)'"],
    [{ command: 'failures', operands: ['-x'], options: ['--all'] }, 'crawler failures --all -- -x'],
    [{ operands: ['-x'], options: ['--loop', '1'] }, 'crawler --loop 1 -- -x'],
    [{ operands: ['plan'], options: ['--loop', '1'] }, 'crawler --loop 1 -- plan'],
    [{ command: 'failures', operands: ['plan'] }, 'crawler failures plan'],
    [
      { command: 'search', operands: ['docs', 'word'], configDir: '/a b' },
      "crawler search docs word --config_dir '/a b'",
    ],
    [{ operands: ['docs'], configDir: join(homedir(), '.crawler') }, 'crawler docs'],
  ])('%j: %s', (command, text) => {
    expect(crawlerCommand(command)).toBe(text);
  });
});

test.each([
  [{}, join(homedir(), '.crawler')],
  [{ CRAWLER_CONFIG_DIR: '' }, join(homedir(), '.crawler')],
  [{ CRAWLER_CONFIG_DIR: '/jobs' }, '/jobs'],
  [{ CRAWLER_CONFIG_DIR: '~/jobs' }, join(homedir(), 'jobs')],
])('the config directory with %j is %s', (environment, path) => {
  expect(defaultConfigDir(environment)).toBe(path);
});
