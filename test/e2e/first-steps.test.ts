import { existsSync, readdirSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Person } from '../support/person.js';

let person: Person;
beforeEach(() => {
  person = new Person();
});
afterEach(() => person.leaves());

test('npm run example leaves nothing at home, and its commands can be repeated', () => {
  const env = { ...process.env, HOME: person.home, USERPROFILE: person.home };
  const example = spawnSync(process.execPath, ['examples/first-steps.mjs'], { encoding: 'utf8', env });
  expect([example.status, example.stderr]).toEqual([0, '']);
  expect(readdirSync(person.home)).toEqual([]);
  expect(existsSync('.example/documents/_settings.yaml')).toBe(true);
  const commands = [...example.stdout.matchAll(/^\$ (.+)$/gm)].map(([, command]) => command ?? '');
  expect(commands).toHaveLength(3);
  for (const command of commands) {
    const { status, stdout } = spawnSync('bash', ['-c', command], { encoding: 'utf8', env });
    expect([command, status]).toEqual([command, 0]);
    expect(stdout).toMatch(/documents found|The index holds 30 documents/);
  }
  expect(readdirSync(person.home)).toEqual([]);
}, 120_000);
