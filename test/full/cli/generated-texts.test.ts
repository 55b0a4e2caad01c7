import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { SaxesParser } from 'saxes';
import { bashCompletion } from '../../../src/cli/generate/bash-completion.js';
import { describeCommand, type CommandNode } from '../../../src/cli/generate/command-tree.js';
import { fishCompletion } from '../../../src/cli/generate/fish-completion.js';
import { launchdAgent } from '../../../src/cli/generate/launchd-agent.js';
import { manPage } from '../../../src/cli/generate/man-page.js';
import { systemdUnit } from '../../../src/cli/generate/systemd-unit.js';
import { winswService } from '../../../src/cli/generate/winsw-service.js';
import { zshCompletion } from '../../../src/cli/generate/zsh-completion.js';
import { createProgram } from '../../../src/cli/program.js';
import { describeWith } from '../../support/program.js';
import { tempDir } from '../../support/temp-dir.js';

const program = describeCommand(createProgram(() => undefined, { hasCommands: true }));
const directory = tempDir();

/** Job names as people give them, in a config directory of their own. */
const config = join(directory, 'config');
for (const job of ['My docs', 'mail', 'verify_me']) {
  mkdirSync(join(config, job), { recursive: true });
  writeFileSync(join(config, job, '_settings.yaml'), '');
}

/** Where no name of a file can be offered. */
const empty = join(directory, 'empty');
mkdirSync(empty);

/** Without node: whatever a completion needs, it must not be that. */
function inShell(shell: string, args: readonly string[], script: string): string {
  const env = { PATH: '/usr/bin:/bin', HOME: directory, CRAWLER_CONFIG_DIR: config, TERM: 'dumb' };
  const file = join(directory, `script-${shell}`);
  writeFileSync(file, `node() { echo "node was started"; }\n${script}`);
  return execFileSync(shell, [...args, file], {
    env,
    cwd: config,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function saved(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

function allCommands(): readonly CommandNode[] {
  return [program, ...program.commands];
}

function optionsOf(commands: readonly CommandNode[]): string[] {
  return [...new Set(commands.flatMap(({ options }) => options.flatMap(({ names }) => names)))].sort();
}

describe('every option of every command is in', () => {
  test.each<[string, string, (option: string) => string]>([
    ['the completion of bash', bashCompletion(program), (option) => option],
    ['the completion of zsh', zshCompletion(program), (option) => option],
    [
      'the completion of fish',
      fishCompletion(program),
      (option) => option.replace(/^--(.*)/, '-l $1').replace(/^-(\w)$/, '-s $1'),
    ],
    ['the manual page', manPage(program, '1.2.3'), (option) => option.replaceAll('-', '\\-')],
    ['docs/cli.md', readFileSync('docs/cli.md', 'utf8'), (option) => (option === '-h' ? '' : option)],
  ])('%s', (_, text, shown) => {
    const missing = optionsOf(allCommands()).filter((option) => !text.includes(shown(option)));
    expect(missing).toEqual([]);
    expect(program.commands.filter(({ name }) => !text.includes(name))).toEqual([]);
  });
});

describeWith(['bash'], 'completion of bash', () => {
  const script = saved('completion.bash', bashCompletion(program));

  test('is a script that bash reads', () => {
    expect(execFileSync('bash', ['-n', script], { encoding: 'utf8' })).toBe('');
  });

  test.each([
    [
      ['crawler', 'ver'],
      ['verify', 'verify_me'],
    ],
    [['crawler', 'verify', 'ver'], ['verify_me']],
    [['crawler', 'My'], ['My docs']],
    [['crawler', 'search', 'My\\ d'], ['My docs']],
    [['crawler', 'search', '"My'], ['My docs']],
    [['crawler', '--loop', '1', 'ma'], ['mail']],
    [['crawler', '--set', 'fs.update_r'], ['fs.update_rate=']],
    [['crawler', 'failures', '--reason', 'enc'], ['encrypted']],
    [['crawler', 'verify', '--fi'], ['--fix']],
    [['crawler', 'generate', 'z'], ['zsh']],
    [['crawler', 'generate', 'systemd', 'm'], ['mail']],
  ])('%j offers %j', (words, offered) => {
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const call = `. ${script}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; cd ${empty}; _crawler; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(inShell('bash', ['--norc'], call).trim().split('\n')).toEqual(offered);
  });
});

describeWith(['zsh'], 'completion of zsh', () => {
  const folder = join(directory, 'zsh');
  mkdirSync(folder);
  writeFileSync(join(folder, '_crawler'), zshCompletion(program));

  test('is a script that zsh reads', () => {
    expect(execFileSync('zsh', ['-n', join(folder, '_crawler')], { encoding: 'utf8' })).toBe('');
  });

  // A shell on a terminal of its own; what crawler is given after TAB is what was completed.
  test('completes commands, jobs, settings, reasons, options and choices', () => {
    const cases = new Map([
      ['crawler verif', 'verify'],
      ['crawler search My', 'search|My docs'],
      ['crawler --set fs.update_r', '--set|fs.update_rate'],
      ['crawler failures --reason encr', 'failures|--reason|encrypted'],
      ['crawler verify --fi', 'verify|--fix'],
      ['crawler generate sys', 'generate|systemd'],
    ]);
    const typing = [...cases.keys()].map(
      (typed) => `zpty -w -n shell ${JSON.stringify(typed)}$'\\t\\n'
        zpty -r shell out '*ran:<*>*'
        print -r -- "\${\${out##*ran:<}%%>*}"`,
    );
    const script = `
      zmodload zsh/zpty
      zpty -b shell zsh -f -i
      zpty -w shell 'PS1=; fpath=(${folder} $fpath); autoload -U compinit; compinit -u -D; print -r -- is-rea""dy'
      zpty -r shell out '*is-ready*'
      zpty -w shell 'crawler() { local IFS="|"; print -r -- "ran:<$*>" }; node() { print -r -- "ran:<node>" }; print -r -- is-fi""ne'
      zpty -r shell out '*is-fine*'
      ${typing.join('\n')}
      zpty -d shell`;
    expect(inShell('zsh', ['-f'], script).trim().split('\n')).toEqual([...cases.values()]);
  }, 60_000);
});

describeWith(['fish'], 'completion of fish', () => {
  const script = saved('completion.fish', fishCompletion(program));

  test.each([
    ['crawler ver', ['verify', 'verify_me']],
    ['crawler search My', ['My docs']],
    ['crawler failures --reason enc', ['encrypted']],
    ['crawler --set fs.update_r', ['fs.update_rate=']],
    ['crawler verify --fi', ['--fix']],
    ['crawler generate z', ['zsh']],
  ])('%s offers %j', (typed, offered) => {
    const env = { PATH: '/usr/bin:/bin', HOME: directory, CRAWLER_CONFIG_DIR: config };
    const command = `source ${script}; complete -C '${typed}'`;
    const printed = execFileSync('fish', ['--no-config', '-c', command], { env, cwd: empty, encoding: 'utf8' });
    const found = printed.split('\n').map((line) => line.split('\t')[0]);
    expect(found.filter((word) => word !== '')).toEqual(offered);
  });
});

describeWith(['mandoc'], 'the manual page', () => {
  test('is sound', () => {
    const path = saved('crawler.1', manPage(program, '1.2.3'));
    expect(execFileSync('mandoc', ['-T', 'lint', '-W', 'warning', path], { encoding: 'utf8' })).toBe('');
  });
});

const node = { program: '/usr/bin/node', script: '/usr/lib/node_modules/document-crawler/lib/crawler.js' };
const jobs = [undefined, 'mail', "My 100% 'docs' $HOME"];

describeWith(['systemd-analyze'], 'a unit of systemd', () => {
  const env = { ...process.env, XDG_RUNTIME_DIR: directory };
  // The programs must exist for the check.
  const here = { program: process.execPath, script: join(process.cwd(), 'bin', 'crawler.js') };

  test.each(jobs.flatMap((job) => [[job, false] as const, [job, true] as const]))(
    'for job %j, of a user: %j',
    (job, user) => {
      const name = job === undefined ? 'crawler@.service' : 'crawler-test.service';
      const path = saved(name, systemdUnit({ ...here, job }, user));
      const printed = execFileSync('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', path], {
        env,
        encoding: 'utf8',
      });
      expect(printed).toBe('');
      if (user) return;
      const rated = execFileSync('systemd-analyze', ['security', '--offline=yes', '--threshold=25', path], {
        env,
        encoding: 'utf8',
      });
      expect(rated).toMatch(/Overall exposure level .*: 1\.\d/);
    },
  );
});

test('a unit leaves alone what would stop V8', () => {
  const unit = systemdUnit({ ...node, job: undefined }, false);
  const directives = unit
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n');
  expect(directives).not.toMatch(/MemoryDenyWriteExecute|ProcSubset/);
  expect(directives).toContain('Environment=CRAWLER_CONFIG_DIR=/var/lib/crawler\n');
  expect(directives).toContain(`ExecStart=${node.program} ${node.script} %i\n`);
});

test('a job in a unit is one word, whatever it holds', () => {
  const unit = systemdUnit({ ...node, job: jobs[2] }, false);
  expect(unit).toContain(`crawler.js "My 100%% 'docs' $$HOME"\n`);
});

describe.each(jobs)('for job %j', (job) => {
  test('an agent of launchd is a property list with the command', () => {
    const { texts } = parse(launchdAgent({ ...node, job }));
    expect(texts).toEqual(expect.arrayContaining([node.program, node.script, ...(job === undefined ? [] : [job])]));
    expect(texts[texts.indexOf('ExitTimeOut') + 1]).toBe('45');
  });

  test('a service of Windows has the command, and time to stop', () => {
    const { texts } = parse(winswService({ program: 'C:\\Program Files\\nodejs\\node.exe', script: node.script, job }));
    expect(texts).toEqual(expect.arrayContaining(['C:\\Program Files\\nodejs\\node.exe', '45sec']));
    const shown = job === undefined ? [] : [job.includes(' ') ? `"${job}"` : job];
    expect(texts).toContain([node.script, ...shown].join(' '));
  });
});

/** The texts of a well-formed document, in its order. */
function parse(xml: string): { readonly texts: readonly string[] } {
  const parser = new SaxesParser();
  const texts: string[] = [];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('text', (text) => {
    if (text.trim() !== '') texts.push(text);
  });
  parser.write(xml).close();
  return { texts };
}
