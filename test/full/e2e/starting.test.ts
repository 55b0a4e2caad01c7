import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { expectFolderIsSearched } from '../../support/expect-folder-is-searched.js';
import { Person } from '../../support/person.js';

// Most tests run the program several times.
jest.setTimeout(60_000);

let person: Person;
beforeEach(() => {
  person = new Person();
});
afterEach(() => person.leaves());

describe('a folder is indexed and searched, whatever it is called', () => {
  test.each([
    ['My Files (2)', 'My Files (2)'],
    ['-x', '-x'],
    ['search', expect.stringMatching(/^search-[0-9a-f]{8}$/)],
    ['two\nlines', expect.stringMatching(/^two_lines-[0-9a-f]{8}$/)],
  ])('%j', async (name, job) => {
    await expectFolderIsSearched(person, name, job);
  });
});

describe('the names of indices', () => {
  test('of jobs that differ only in case differ', async () => {
    const [upper, lower] = [person.writes('a/Docs/a.txt'), person.writes('b/docs/b.txt')];
    for (const file of [upper, lower]) await person.types([join(file, '..'), '--loop', '1']);
    const indices = await Promise.all(
      ['Docs', 'docs'].map(async (job) => {
        const { stdout } = await person.types(['search', job, 'lighthouse', '--json']);
        return (JSON.parse(stdout) as { index: string }).index;
      }),
    );
    expect(indices).toEqual([expect.stringMatching(/^docs-[0-9a-f]{8}_docs$/), 'docs_docs']);
  });

  test('that no engine takes are refused at the start, with place, key and a name that is valid', async () => {
    person.writes('docs/a.txt');
    person.writesJob('job', `fs:\n  url: ${person.path('docs')}\nengine:\n  index: Upper_Docs\n`);
    const { code, stdout, stderr } = await person.types(['job', '--loop', '1']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(
      '_settings.yaml:4: engine.index: The index name [Upper_Docs] must be in lower case. Write a name that is valid, such as [upper_docs].',
    );
    const set = await person.types(['docs', '--loop', '1', '--set', 'engine.index_folder=a b', '--set', 'fs.url=/x']);
    expect(set.stderr).toContain('--set: engine.index_folder: The index name [a b] must not contain [ ].');
  });
});

describe('without anything to do', () => {
  test('the bare program prints its help and the jobs, and makes nothing', async () => {
    const first = await person.types([]);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain('Usage: crawler');
    expect(first.stdout).toContain(`There are no jobs in [${person.home}/.crawler] yet.`);
    expect(readdirSync(person.home)).toEqual([]);
    person.writesJob('crawler', 'fs.url: /data\n');
    person.writesJob('mail', 'fs.url: /mail\n');
    const { code, stdout } = await person.types([]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /Jobs in \[.+\]:\n {2}crawler {2}\/data\n {2}mail {5}\/mail\n\n\[crawler crawler\] runs the job \[crawler\]\./,
    );
    expect(person.jobs()).toEqual(['crawler', 'mail']);
  });

  test.each([
    [['staus'], 'Did you mean [crawler doctor], which checks a job and the machine?'],
    [['serach'], 'Did you mean [crawler search]?'],
    [['list'], 'Did you mean [crawler --list]?'],
    [['docs'], 'Did you mean the folder ./docs here: [crawler ./docs]?'],
    [['Dcos'], 'Did you mean the folder ./docs here: [crawler ./docs]?'],
    [['Team Fils'], 'Did you mean the job [Team Files]?'],
    [['lighthouse', '--rest'], 'The jobs are: Team Files.'],
    [['serach', 'invoice'], 'Did you mean [crawler search invoice]?'],
    [['--loop', '1'], 'There is nothing to crawl: name a folder or a job'],
    [['--rest'], 'There is nothing to crawl: name a folder or a job'],
  ])('%j is an error that says what was meant, and makes nothing', async (args, advice) => {
    mkdirSync(person.path('docs'));
    person.writesJob('Team Files', 'fs.url: /data\n');
    const { code, stdout, stderr } = await person.types(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(advice);
    expect(person.jobs()).toEqual(['Team Files']);
  });

  test.each([
    ['name: x\n', 'do not say what to crawl. Set fs.url in ['],
    ['fs.url: ""\n', '_settings.yaml:1: fs.url is empty, so the job [job] has nothing to crawl.'],
  ])('a job with %j is refused with the key', async (yaml, sentence) => {
    person.writesJob('job', yaml);
    const { code, stdout, stderr } = await person.types(['job']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(sentence);
  });

  test('a negative number of runs other than -1 is refused', async () => {
    person.writes('docs/a.txt');
    const { code, stderr } = await person.types(['./docs', '--loop', '-5']);
    expect(code).toBe(2);
    expect(stderr).toContain('It is -1 to run without end, 0 to crawl nothing, or a number of runs.');
    expect(person.jobs()).toEqual([]);
  });
});

describe('a root', () => {
  test.each<[string, readonly string[], Readonly<Record<string, string>>]>([
    ['from the environment', ['--loop', '1'], { CRAWLER_FS_URL: '$' }],
    ['from the environment of FSCrawler', ['--loop', '1'], { FSCRAWLER_FS_URL: '$' }],
    ['from --set', ['--loop', '1', '--set', 'fs.url=$'], {}],
  ])('%s is enough', async (_, args, variables) => {
    const docs = join(person.writes('docs/a.txt'), '..');
    const env = Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, text.replace('$', docs)]));
    const run = await person.types(
      args.map((word) => word.replace('$', docs)),
      { env },
    );
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('indexed [1]');
    // The job has no settings, and is found all the same.
    expect((await person.types(['search', 'lighthouse'])).stdout).toContain('1 document found in the job [crawler].');
  });

  test('from the environment starts the bare program', async () => {
    const docs = join(person.writes('docs/a.txt'), '..');
    const running = person.starts([], { env: { CRAWLER_FS_URL: docs } });
    await running.printed('indexed [1]');
    running.child.kill('SIGTERM');
    expect((await running.finished).code).toBe(0);
  });

  test('is not needed to take documents over HTTP only, even by a job that is new', async () => {
    person.writesJob('posts', 'name: posts\n');
    const args = ['post', '--loop', '0', '--rest', '--set', 'rest.url=http://127.0.0.1:0'];
    const running = person.starts(args);
    await running.printed('Rest service started on');
    running.child.kill('SIGTERM');
    const { code, stderr } = await running.finished;
    expect(code).toBe(0);
    expect(stderr).toContain('The job [post] has no settings in');
    expect(stderr).toContain('Did you mean the job [posts]?');
  });
});

test('the job that is called like a command is run behind --', async () => {
  person.writesJob('plan', `fs.url: ${join(person.writes('docs/a.txt'), '..')}\n`);
  const { code, stdout } = await person.types(['--loop', '1', '--', 'plan']);
  expect(code).toBe(0);
  expect(stdout).toContain('indexed [1]');
});

test('a folder that a job crawls already gets no second job', async () => {
  person.writes('docs/a.txt');
  person.writesJob('mine', 'fs.url: ' + JSON.stringify(person.path('docs')) + '\n');
  expect((await person.types(['./docs', '--loop', '1'])).stdout).toContain('Run #1: job [mine]');
  expect(person.jobs()).toEqual(['logs', 'mine']);
});

describe('the config directory', () => {
  test('is that of CRAWLER_CONFIG_DIR, unless an option says otherwise', async () => {
    person.writes('docs/a.txt');
    const env = { CRAWLER_CONFIG_DIR: person.path('jobs') };
    expect((await person.types(['./docs', '--loop', '1'], { env })).stderr).toBe('');
    expect((await person.types(['search', 'docs', 'lighthouse'], { env })).stdout).toContain('1 document found.');
    expect((await person.types(['--list', '--config_dir', person.path('other')], { env })).stdout).toContain(
      'No job exists',
    );
    expect(person.jobs()).toEqual([]);
  });

  test.each([
    ['below a file', 'file/jobs', 'is not a folder'],
    ['where there can be no folders', '/proc/crawler-test', '[/proc]'],
  ])('%s is refused with a sentence', async (_, path, sentence) => {
    person.writes('docs/a.txt');
    person.writes('file');
    const { code, stdout, stderr } = await person.types(['./docs', '--loop', '1', '--config_dir', path]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('    at ');
  });
});

test.each([
  ['docs/a.txt', 2, 'is not a folder. Give the folder that holds it.'],
  ['docs/a.txt/x', 1, 'does not exist.'],
  [`docs/${'x'.repeat(300)}`, 1, 'cannot be inspected: ENAMETOOLONG'],
])('%s is no folder to crawl', async (path, status, sentence) => {
  person.writes('docs/a.txt');
  const { code, stderr } = await person.types([`./${path}`, '--loop', '1']);
  expect(code).toBe(status);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain('    at ');
  expect(person.jobs()).toEqual([]);
});

test('a folder of logs that cannot be made is reported, and the crawl continues', async () => {
  person.writes('docs/a.txt');
  const { code, stderr } = await person.types(['./docs', '--loop', '1'], { env: { LOG_DIR: '/proc/crawler-test' } });
  expect(code).toBe(0);
  expect(stderr).toContain('The folder of the logs (LOG_DIR) [/proc/crawler-test] cannot be made');
});

test.each(['run', 'verify'])('a lock file with garbage in it gets a sentence, not a stack (%s)', async (command) => {
  const docs = join(person.writes('docs/a.txt'), '..');
  await person.types([docs, '--loop', '1']);
  person.writes('.crawler/docs/job.lock', 'garbage '.repeat(1000));
  const { code, stderr } = await person.types(command === 'run' ? [docs, '--loop', '1'] : [command, docs]);
  expect(code).toBe(1);
  expect(stderr).toContain(`The lock file [${person.home}/.crawler/docs/job.lock] cannot be used`);
  expect(stderr).not.toContain('    at ');
});
