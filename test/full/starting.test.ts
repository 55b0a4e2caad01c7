import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { expectFolderIsSearched } from '../support/expect-folder-is-searched.js';
import { Person } from '../support/person.js';

/** More names than test/full/e2e/starting.test.ts tries. */
let person: Person;
beforeEach(() => {
  person = new Person();
});
afterEach(() => person.leaves());

describe('a folder is indexed and searched, whatever it is called', () => {
  test.each([
    ['Documents', 'Documents'],
    ['Übersicht', 'Übersicht'],
    ['.hidden', '.hidden'],
    ['logs', expect.stringMatching(/^logs-[0-9a-f]{8}$/)],
    ['~', expect.stringMatching(/^_-[0-9a-f]{8}$/)],
    ['${HOME}', '${HOME}'],
  ])('%j', async (name, job) => {
    await expectFolderIsSearched(person, name, job);
  });

  test('/ is one, too', async () => {
    const { code, stdout } = await person.types(['/', '--loop', '1', '--set', 'fs.excludes=*/*']);
    expect([code, person.jobs()]).toEqual([0, ['logs', 'root']]);
    expect(stdout).toContain('indexed [0], deleted [0]');
  });
});
