import { expect } from '@jest/globals';
import type { Person } from './person.js';

/** A folder of this name is indexed as this job, searched, and the command that the program advises is one that works. */
export async function expectFolderIsSearched(person: Person, name: string, job: unknown): Promise<void> {
  person.writes(`${name}/Read Me.TXT`);
  person.writes(`${name}/~lock`);
  const run = await person.types([`./${name}`, '--loop', '1']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toContain('The index holds 1 document: 1 txt.');
  expect(person.jobs().filter((each) => each !== 'logs')).toEqual([job]);
  const found = await person.types(['search', `./${name}`, 'lighthouse']);
  expect(found.stdout).toContain('The [lighthouse] at the harbour.\n1 document found.');
  const [, advice = ''] = /See: (.+)/.exec(run.stdout) ?? [];
  expect(await person.pastes(advice)).toContain('Left out by rules: 1 excluded.');
}
