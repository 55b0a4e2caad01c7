import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Person } from '../../support/person.js';

// Most tests run the program several times.
jest.setTimeout(60_000);

let person: Person;
beforeEach(() => {
  person = new Person();
});
afterEach(() => person.leaves());

describe('a search', () => {
  beforeEach(async () => {
    person.writes('docs/a.txt', 'The lighthouse at the harbour.');
    person.writes('docs/portholm/b.txt', 'Another lighthouse.');
    person.writes('docs/portholm-2/c.txt', 'The third lighthouse.');
    await person.types(['./docs', '--loop', '1', '--silent']);
  });

  const found = async (words: readonly string[], cwd = person.home): Promise<string> =>
    (await person.types(['search', ...words], { cwd })).stdout;

  test('needs no job where there is only one', async () => {
    expect(await found(['lighthouse'])).toContain('3 documents found in the job [docs].');
    expect(await found(['third', 'lighthouse'])).toContain('1 document found in the job [docs].');
    expect(await found(['dosc', 'lighthouse'])).toBe(
      'Nothing found in the job [docs]. There is no job [dosc]: did you mean [docs]?\n',
    );
  });

  test('shows path and snippet, and no score', async () => {
    expect(await found(['docs', 'harbour'])).toBe(
      `${person.path('docs/a.txt')}\n    The lighthouse at the [harbour].\n1 document found.\n`,
    );
  });

  test('of several jobs is for the one of the current folder, or asks which', async () => {
    person.writesJob('other', 'fs.url: /data\n');
    expect(await found(['lighthouse'], person.path('docs/portholm'))).toContain('3 documents found in the job [docs].');
    const { code, stdout, stderr } = await person.types(['search', 'lighthouse']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe('Say which job is meant: docs, other. For example: [crawler search docs]\n');
  });

  test('below a folder finds the job above it, and nothing beside the folder', async () => {
    const below = `${person.path('docs/portholm/b.txt')}\n    Another [lighthouse].\n1 document found below [${person.path('docs/portholm')}].\n`;
    expect(await found(['./docs/portholm', 'lighthouse'])).toBe(below);
    expect(await found(['docs/portholm', 'lighthouse'])).toBe(below);
    expect(await found(['lighthouse/harbour'])).toContain('1 document found in the job [docs].');
    expect(await found(['.', 'lighthouse'], person.path('docs/portholm'))).toBe(below);
    expect(await found([person.path('docs/portholm/b.txt'), 'lighthouse'])).toContain('1 document found');
    expect((await found(['./docs/portholm', '--all', '--json'])).match(/"real":"[^"]+"/g)).toEqual([
      `"real":"${person.path('docs/portholm/b.txt')}"`,
    ]);
    expect(await found(['./docs', 'lighthouse'])).toContain('3 documents found.');
  });

  test('takes a job for a job, even if it is called like a word', async () => {
    person.writesJob('lighthouse', 'fs.url: /data\n');
    const { code, stderr } = await person.types(['search', 'lighthouse']);
    expect(code).toBe(2);
    expect(stderr).toContain('Say what to search for in [lighthouse], such as [crawler search lighthouse word]');
  });

  test('of a folder that nobody crawls says what to do', async () => {
    person.writes('elsewhere/x.txt');
    const { code, stderr } = await person.types(['search', './elsewhere', 'lighthouse']);
    expect(code).toBe(1);
    const folder = person.path('elsewhere');
    expect(stderr).toContain(
      `No job in [${person.path('.crawler')}] crawls [${folder}]. Run [crawler ${folder} --loop 1] first.`,
    );
  });
});

test('without any job a search says how to begin', async () => {
  const { code, stderr } = await person.types(['search', 'lighthouse']);
  expect(code).toBe(2);
  expect(stderr).toContain('There are no jobs in');
  expect(person.jobs()).toEqual([]);
});

test('the fields of JSON files are searched', async () => {
  person.writes('docs/a.json', '{"title": "Minutes", "place": {"name": "Portholm"}}');
  person.writesJob('minutes', `fs:\n  url: ${person.path('docs')}\n  json_support: true\n`);
  await person.types(['minutes', '--loop', '1', '--silent']);
  expect((await person.types(['search', 'portholm'])).stdout).toContain('1 document found in the job [minutes].');
});

test('what only reads does without the variables of settings that it does not look at; a run does not', async () => {
  const root = person.path('docs');
  person.writes('docs/a.txt');
  const yaml = `fs.url: ${root}\nserver.password: "\${SECRET}"\nrest.api_keys: "\${KEY}"\n`;
  person.writesJob('docs', yaml);
  const env = { SECRET: 's', KEY: 'k' };
  expect((await person.types(['docs', '--loop', '1'], { env })).code).toBe(0);
  for (const args of [
    ['search', 'docs', 'lighthouse'],
    ['why', './docs/a.txt'],
    ['failures'],
    ['verify'],
    ['plan'],
    ['approve'],
  ]) {
    expect([args, await person.types(args)]).toEqual([args, expect.objectContaining({ code: 0, stderr: '' })]);
  }
  const doctor = await person.types(['doctor']);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toMatch(
    /^BROKEN {3}settings {6}_settings.yaml:2: server.password: the placeholder \$\{SECRET\} has no value/m,
  );
  const run = await person.types(['docs', '--loop', '1']);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('_settings.yaml:2: server.password: the placeholder ${SECRET} has no value');
});

test('names of files never steer the terminal, nor the logs', async () => {
  const name = 'red\u001b[31m\rover\u0007\u202etxt.exe';
  const shown = 'red\\x1b[31m\\rover\\x07\\u202etxt.exe';
  person.writes(`docs/${name}.txt`);
  person.writes(`docs/${name}.bin`, '\u0000\u0001\u0002\u00ff');
  const outputs = [
    await person.types(['./docs', '--loop', '1'], { env: { LOG_LEVEL: 'debug', DOC_LEVEL: 'debug' } }),
    await person.types(['search', 'lighthouse']),
    await person.types(['search', '--all']),
    await person.types(['failures']),
    await person.types(['why', `./docs/${name}.txt`]),
    await person.types(['plan']),
    await person.types(['extract', `./docs/${name}.txt`]),
  ];
  person.writes(`docs/new ${name}.txt`);
  outputs.push(await person.types(['verify']), await person.types([`./docs/none ${name}`]));
  const logs = readdirSync(person.path('.crawler/logs')).filter((each) => each.endsWith('.log'));
  const written = [
    ...outputs.flatMap(({ stdout, stderr }) => [stdout, stderr]),
    ...logs.map((each) => readFileSync(person.path(`.crawler/logs/${each}`), 'utf8')),
  ];
  for (const text of written) expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
  for (const { stdout, stderr } of outputs.filter((_, at) => at > 0 && at !== 5))
    expect(stdout + stderr).toContain(shown);
});

test('why of a folder counts what is below, and failures begin with a summary', async () => {
  person.writes('docs/a.txt');
  person.writes('docs/sub/deep/b.txt');
  person.writes('docs/sub/bad.pdf', '%PDF-1.4\nnonsense');
  person.writes('docs/sub/~lock');
  await person.types(['./docs', '--loop', '1', '--silent']);
  const why = await person.types(['why', './docs/sub']);
  expect(why.code).toBe(0);
  expect(why.stdout).toContain('Files in it and below: 2 indexed, 1 left out by rules.');
  expect(why.stdout).toMatch(/^ {2}below +1 folder$/m);
  expect(why.stdout).toMatch(/^ {2}reasons +1 corrupt, 1 excluded: \[crawler failures docs --all\] lists them$/m);
  const { stdout } = await person.types(['failures']);
  expect(stdout).toMatch(
    /^1 failure in the job \[docs\]:\n {2}1 {2}corrupt {2}pdf 1 {2}its content is damaged.*\nLeft out by rules: 1 excluded\. .*\n\n.*bad\.pdf\n/,
  );
});

test('what rules have left out is not called a failure', async () => {
  person.writes('docs/a.txt');
  person.writes('docs/~lock');
  await person.types(['./docs', '--loop', '1', '--silent']);
  expect((await person.types(['failures'])).stdout).toMatch(/^No failures in the job \[docs\]\.\nLeft out by rules: 1/);
  expect((await person.types(['failures', '--all'])).stdout).toMatch(
    /^1 not indexed, or without all of the text, in the job \[docs\]:\n {2}1 {2}excluded/,
  );
});

test('a plan does not say that nothing was indexed where it was too little to measure', async () => {
  person.writes('docs/a.txt');
  await person.types(['./docs', '--loop', '1', '--silent']);
  person.writes('docs/b.txt');
  expect((await person.types(['plan'])).stdout).toContain('no scan of this job has indexed 10 files or more.');
});

test('a job is not found by a folder of its tree where only all of it can be looked at', async () => {
  person.writes('docs/sub/a.txt');
  await person.types(['./docs', '--loop', '1', '--silent']);
  const { code, stderr } = await person.types(['failures', './docs/sub']);
  expect(code).toBe(2);
  expect(stderr).toContain('it is part of the job [docs]. [crawler failures docs] inspects all of it.');
});

test('a path that is longer than the system takes makes a short warning', async () => {
  person.writes('docs/a.txt');
  // Step by step: no call takes the whole path.
  const name = 'd'.repeat(200);
  await person.pastes(`cd docs && for level in {1..22}; do mkdir ${name} && cd ${name}; done`);
  const { stdout, stderr } = await person.types(['./docs', '--loop', '1']);
  await person.pastes('rm -rf docs');
  expect(stdout).toContain('indexed [1]');
  expect(stderr).toMatch(/Error listing files in .+…d+/);
  expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThanOrEqual(2100);
});
