import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startCrawler, type Finished } from '../support/crawler-process.js';

/** Index, catalog, settings and logs hold what only their owner may read. */
let directory: string;
let config: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-private-'));
  config = join(directory, 'config');
  mkdirSync(join(directory, 'docs'));
  writeFileSync(join(directory, 'docs', 'a.txt'), 'a secret');
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Under the mask that most systems have. */
function run(...args: string[]): Promise<Finished> {
  const usual = ['sh', '-c', 'umask 022 && exec "$0" "$@"'];
  return startCrawler([...args, '--config_dir', config], {}, usual).finished;
}

/** `mode path` of everything in the config folder that is no link, sorted. */
function rights(): string[] {
  const entries = readdirSync(config, { recursive: true, withFileTypes: true }).filter(
    (each) => !each.isSymbolicLink(),
  );
  const paths = ['.', ...entries.map((each) => join(each.parentPath, each.name).slice(config.length + 1))];
  return paths.map((path) => `${(statSync(join(config, path)).mode & 0o777).toString(8)} ${path}`).sort();
}

function open(folders: number, files: number): void {
  for (const line of rights()) {
    const path = join(config, line.slice(4));
    chmodSync(path, statSync(path).isDirectory() ? folders : files);
  }
}

const FILES = ['_checkpoint.json', '_settings.yaml', 'catalog.db', 'index.db', 'job.lock'];

test('everything that is made is for its owner alone', async () => {
  expect((await run(join(directory, 'docs'), '--loop', '1')).code).toBe(0);
  expect(rights()).toEqual(expect.arrayContaining(['700 .', '700 docs', '700 logs']));
  expect(rights()).toEqual(expect.arrayContaining(FILES.map((name) => `600 docs/${name}`)));
  expect(rights().filter((line) => !/^(?:700|600) /.test(line))).toEqual([]);
});

test('what an earlier release has made is repaired at the start', async () => {
  for (const name of ['index-summary.json', 'index-incidents.json'])
    writeFileSync(join(config, 'docs', name), '{"incidents":[]}');
  open(0o755, 0o644);
  expect((await run('docs', '--loop', '1')).code).toBe(0);
  expect(rights().filter((line) => !/^(?:700|600) /.test(line))).toEqual([]);
});

test('a folder that is used for other things as well keeps its rights; what the program has in it does not', async () => {
  writeFileSync(join(config, 'notes.txt'), 'mine');
  open(0o755, 0o644);
  expect((await run('docs', '--loop', '1')).code).toBe(0);
  expect(rights().filter((line) => !/^(?:700|600) /.test(line))).toEqual(['644 notes.txt', '755 .']);
  rmSync(join(config, 'notes.txt'));
});

test('a folder that is shared with its group by the setgid bit stays so, for the group alone', async () => {
  open(0o755, 0o644);
  chmodSync(config, 0o2755);
  chmodSync(join(config, 'docs'), 0o2755);
  expect((await run('docs', '--loop', '1')).code).toBe(0);
  expect(rights().filter((line) => !/^(?:750|640|660) /.test(line))).toEqual([]);
});

test.each([[[]], [['--setup']]])(
  'a config directory of somebody else is refused, with both users: %j',
  async (options) => {
    chmodSync(directory, 0o755);
    const foreign = mkdtempSync(join(directory, 'foreign-'));
    chmodSync(foreign, 0o555);
    const owner = process.getuid?.() ?? 0;
    // Nothing is forbidden to root.
    const user = owner === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const job = join(directory, 'docs');
    const { code, stderr } = await startCrawler([job, ...options, '--config_dir', foreign], user).finished;
    expect([code, stderr]).toEqual([
      1,
      `The config directory [${foreign}] cannot be used: the user of this process (uid ${user.uid ?? owner}) may not write to it;` +
        ` it belongs to uid ${owner}. Give it to that user, or choose another folder.\n`,
    ]);
  },
);
