import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { indexedPaths, runCrawler, searchDocuments, startCrawler } from '../../support/crawler-process.js';

let directory: string;
let config: string;
let docs: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-cli-'));
  config = join(directory, 'config');
  docs = join(directory, 'docs');
  mkdirSync(docs);
  writeFileSync(join(docs, 'a.txt'), 'The lighthouse at the harbour.');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function crawler(...args: string[]): ReturnType<typeof runCrawler> {
  return runCrawler([...args, '--config_dir', config]);
}

function writeJob(name: string, yaml: string): void {
  mkdirSync(join(config, name), { recursive: true });
  writeFileSync(join(config, name, '_settings.yaml'), yaml);
}

describe('what ends at once', () => {
  test('--help shows the options and exits 0', async () => {
    const { code, stdout } = await runCrawler(['--help']);
    expect(code).toBe(0);
    for (const option of ['--config_dir', '--loop', '--restart', '--rest', '--setup', '--list', '--silent', '--set']) {
      expect(stdout).toContain(option);
    }
  });

  test.each([
    [['why'], "missing required argument 'path'", 'crawler why --help'],
    [['generate', 'x'], "value 'x' is invalid for argument 'what'", 'crawler generate --help'],
    [['--looop'], "unknown option '--looop'", 'crawler --help'],
  ])('%j exits 2 and names the help that has the answer', async (args, fault, help) => {
    const { code, stderr } = await runCrawler(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(fault)]);
    expect(stderr).toMatch(new RegExp(`^\\[${help}\\] shows what it takes\\.\\n$`, 'm'));
  });

  test('--version prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await crawler('--version')).toMatchObject({ code: 0, stdout: `${version}\n` });
  });

  test('--list names the jobs, also those that only have a _settings folder', async () => {
    expect((await crawler('--list')).stdout).toContain(`No job exists in [${config}].`);
    writeJob('two', 'name: two\n');
    mkdirSync(join(config, 'one', '_settings'), { recursive: true });
    const { code, stdout } = await crawler('--list');
    expect(code).toBe(0);
    expect(stdout).toBe('Here is the list of existing jobs:\n[1] - one\n[2] - two\n');
  });

  test('--setup writes a file that loads, and never overwrites one', async () => {
    const first = await crawler('job', '--setup');
    const path = join(config, 'job', '_settings.yaml');
    expect(first.code).toBe(0);
    expect(first.stdout).toContain(`You can edit the settings in [${path}]`);
    expect(readFileSync(path, 'utf8')).toContain('SHA-256');
    writeFileSync(path, 'name: mine\n');
    await crawler('job', '--setup');
    expect(readFileSync(path, 'utf8')).toBe('name: mine\n');
  });

  test('--loop 0 without --rest says so', async () => {
    const { code, stderr } = await crawler('job', '--loop', '0');
    expect(code).toBe(0);
    expect(stderr).toContain('Number of runs is set to 0 and rest layer has not been started. Exiting');
  });

  test('--loop 0 migrates the status of FSCrawler 2, and with --restart forgets where the last run stood', async () => {
    writeJob('job', `fs.url: ${docs}\n`);
    const status = { name: 'job', lastrun: '2024-01-02T03:04:05', next_check: '2024-01-02T03:19:05', indexed: 5 };
    writeFileSync(join(config, 'job', '_status.json'), JSON.stringify({ ...status, deleted: 2 }));
    expect((await crawler('job', '--loop', '0')).stdout).toContain('kept it as _status.json.migrated.');
    const files = (): string[] =>
      readdirSync(join(config, 'job')).filter((name) => /^_(?:status|checkpoint)/.test(name));
    expect(files()).toEqual(['_checkpoint.json', '_status.json.migrated']);
    const checkpoint: unknown = JSON.parse(readFileSync(join(config, 'job', '_checkpoint.json'), 'utf8'));
    const { lastrun, next_check: next } = status;
    expect(checkpoint).toMatchObject({
      scan_date: new Date(lastrun).toISOString(),
      next_check: new Date(next).toISOString(),
      files_processed: 5,
      files_deleted: 2,
    });
    writeFileSync(join(config, 'job', '_status.json'), JSON.stringify(status));
    expect((await crawler('job', '--loop', '0', '--restart')).code).toBe(0);
    expect(files()).toEqual(['_status.json.migrated']);
  });
});

describe('a wrong command line exits 2 with a sentence', () => {
  test.each([
    [['--bogus'], 'bogus'],
    [['--loop', 'x'], 'whole number'],
    [['one', 'two'], 'too many arguments'],
    [['search'], 'job'],
    [['search', './docs'], 'Say what to search for'],
  ])('%j', async (args, sentence) => {
    const { code, stderr } = await runCrawler([...args, ...(args[0] === '--bogus' ? [] : ['--config_dir', config])]);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('    at ');
  });
});

describe('wrong settings exit 1 with a sentence and no stack', () => {
  test.each([
    ['a typo', 'fs:\n  updaterate: 5m\n  urll: /x\n', ['_settings.yaml:3', 'urll', 'url']],
    ['a wrong type', 'fs:\n  update_rate: 5 parsecs\n', ['_settings.yaml:2', 'fs.update_rate', '5 parsecs']],
    ['broken YAML', 'fs: [1,\n  url: "x\n', ['_settings.yaml', 'line']],
    [
      'json and xml together',
      'fs:\n  json_support: true\n  xml_support: true\n',
      ['Can not support both xml and json'],
    ],
  ])('%s', async (_, yaml, parts) => {
    writeJob('job', yaml);
    const { code, stderr } = await crawler('job', '--loop', '1');
    expect(code).toBe(1);
    for (const part of parts) expect(stderr).toContain(part);
    expect(stderr).not.toContain('    at ');
  });

  test('a missing root ends the run in ERROR', async () => {
    writeJob('job', `fs:\n  url: ${join(directory, 'nowhere')}\n`);
    const { code, stderr } = await crawler('job', '--loop', '1');
    expect(code).toBe(1);
    expect(stderr).toContain(`[${join(directory, 'nowhere')}] does not exist`);
  });

  test('a folder that does not exist makes no job', async () => {
    const { code, stderr } = await crawler(join(directory, 'nowhere'), '--loop', '1');
    expect(code).toBe(1);
    expect(stderr).toContain('does not exist');
    expect(existsSync(join(config, 'nowhere'))).toBe(false);
  });

  test('credentials on the command line are refused, with the variable that works', async () => {
    const { code, stderr } = await crawler('job', '--api_key', 'secret');
    expect(code).toBe(1);
    expect(stderr).toContain('CRAWLER_ENGINE_API_KEY');
    expect(stderr).not.toContain('secret');
  });
});

describe('an ad-hoc job', () => {
  test('is named after its folder, becomes an ordinary job, and is searched by either', async () => {
    const run = await crawler(docs, '--loop', '1');
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('indexed [1]');
    expect((await crawler('--list')).stdout).toContain('[1] - docs');
    for (const job of [docs, 'docs']) {
      const [hit, ...others] = await searchDocuments([job, 'lighthouse', '--config_dir', config]);
      expect(others).toEqual([]);
      expect(hit).toMatchObject({ index: 'docs_docs', source: { path: { real: join(docs, 'a.txt') } } });
      expect(hit?.score).toBeGreaterThan(0);
      expect(hit?.highlight?.['content']?.[0]?.trim()).toBe('The <em>lighthouse</em> at the harbour.');
    }
  });

  test('another folder of the same name is another job: neither removes the documents of the other', async () => {
    const other = join(directory, 'elsewhere', 'docs');
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, 'b.txt'), 'x');
    await crawler(docs, '--loop', '1');
    await crawler(other, '--loop', '1');
    await crawler(docs, '--loop', '1');
    expect(await indexedPaths(docs, config)).toEqual([join(docs, 'a.txt')]);
    expect(await indexedPaths(other, config)).toEqual([join(other, 'b.txt')]);
  });
});

describe('search', () => {
  test('prints path and snippet for people', async () => {
    await crawler(docs, '--loop', '1');
    const { stdout } = await crawler('search', 'docs', 'harbour');
    expect(stdout).toContain(join(docs, 'a.txt'));
    expect(stdout).toContain('The lighthouse at the [harbour].');
    expect(stdout).toContain('1 document found.');
    expect((await crawler('search', 'docs', 'nothing-like-this')).stdout).toBe('Nothing found.\n');
  });

  test('--index chooses the index of the folders', async () => {
    await crawler(docs, '--loop', '1');
    const folders = await searchDocuments(['docs', '--all', '--index', 'docs_folder', '--config_dir', config]);
    expect(folders.map(({ source }) => source.path?.real)).toEqual([docs]);
  });

  test('of a job without index says what to do', async () => {
    writeJob('new', `fs.url: ${docs}\n`);
    const { code, stderr } = await crawler('search', 'new', 'x');
    expect(code).toBe(1);
    expect(stderr).toContain(
      `Job [new] has no index in [${config}] yet. Run [crawler new --loop 1 --config_dir ${config}]`,
    );
  });
});

test('settings come from the environment when no file gives them', async () => {
  const { code } = await runCrawler(['job', '--loop', '1', '--config_dir', config], {
    env: { FSCRAWLER_FS_URL: docs, FSCRAWLER_FS_UPDATE_RATE: '1m' },
  });
  expect(code).toBe(0);
  expect(await indexedPaths('job', config)).toEqual([join(docs, 'a.txt')]);
});

test('--silent prints nothing, and the log files go on', async () => {
  const { code, stdout, stderr } = await crawler(docs, '--loop', '1', '--silent');
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(readFileSync(join(config, 'logs', 'crawler.log'), 'utf8')).toContain('indexed [1]');
});

test('a second crawler on one job is refused, and does no harm to the first', async () => {
  const first = startCrawler([docs, '--config_dir', config]);
  await first.printed('indexed [1]');
  const second = await crawler(docs, '--loop', '1');
  expect(second.code).toBe(1);
  expect(second.stderr).toContain('Another crawler is running the job [docs]');
  first.child.kill('SIGTERM');
  expect((await first.finished).code).toBe(0);
  expect((await crawler(docs, '--loop', '1')).code).toBe(0);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s between two runs is a clean stop', async (signal) => {
  const running = startCrawler([docs, '--config_dir', config]);
  await running.printed('Will restart at');
  running.child.kill(signal);
  expect(await running.finished).toMatchObject({ code: 0, signal: null });
  const checkpoint = JSON.parse(readFileSync(join(config, 'docs', '_checkpoint.json'), 'utf8')) as { state: string };
  expect(checkpoint.state).toBe('COMPLETED');
});
