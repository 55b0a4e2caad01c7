import { utimesSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Person } from '../../support/person.js';

/** `crawler search` with everything of docs/search.md. */
let person: Person;

beforeAll(async () => {
  person = new Person();
  person.writes('docs/mail/letter.eml', 'From: Ann Lee <ann@example.org>\nSubject: Fog\n\nThe fog horn is broken.\n');
  person.writes('docs/notes.txt', 'The keeper heard the fog horn.');
  person.writes('docs/page.html', '<html><body><p>keeper and horn</p></body></html>');
  const old = new Date('2020-05-06T07:08:09Z');
  utimesSync(person.path('docs/page.html'), old, old);
  expect((await person.types(['./docs', '--loop', '1', '--silent'])).code).toBe(0);
});

afterAll(() => person.leaves());

async function found(...words: string[]): Promise<string[]> {
  const { stdout } = await person.types(['search', 'docs', ...words, '--json']);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{"index"'))
    .map((line) => (JSON.parse(line) as { source: { file: { filename: string } } }).source.file.filename);
}

describe('crawler search', () => {
  test.each([
    [
      ['horn', '--sort', 'name'],
      ['letter.eml', 'notes.txt', 'page.html'],
    ],
    [['horn', '--sort', 'oldest', '--size', '1'], ['page.html']],
    [
      ['horn', '--sort', 'name', '--from', '1'],
      ['notes.txt', 'page.html'],
    ],
    [
      ['horn type:mail | type:text', '--sort', 'name'],
      ['letter.eml', 'notes.txt'],
    ],
    [['--type', 'mail'], ['letter.eml']],
    [
      ['--type', 'mail', '--type', 'web', '--sort', 'name'],
      ['letter.eml', 'page.html'],
    ],
    [['horn', '--in', 'mail'], ['letter.eml']],
    [['horn', '--until', '2020'], ['page.html']],
    [['keeper', '--since', '2021-01-01'], ['notes.txt']],
    [['--author', 'ann'], ['letter.eml']],
  ])('%j finds %j', async (words, names) => {
    expect(await found(...words)).toEqual(names);
  });

  test('counts what is found', async () => {
    const { stdout } = await person.types(['search', 'docs', 'horn', '--facets']);
    expect(stdout).toContain('3 documents found.\n');
    expect(stdout).toMatch(/^Type\n( {7}1 {2}(?:mail|text|web)\n){3}/m);
    const lines = (await person.types(['search', 'docs', '--facets', '--json', '--size', '0'])).stdout;
    expect(JSON.parse(lines)).toMatchObject({
      facets: { folder: [{ value: '/mail', count: 1 }], modified: expect.arrayContaining([]) },
      unavailable: [],
    });
  });

  test('says which word is missing, and what asks for less', async () => {
    expect((await person.types(['search', 'docs', 'keeper submarine', '--type', 'text'])).stdout).toBe(
      'Nothing found.\nNo document has [submarine].\nWith one of the words instead of all (|): 1 document.\n',
    );
    expect((await person.types(['search', 'docs', 'keeper', '--type', 'image'])).stdout).toBe(
      'Nothing found.\nWithout --type: 2 documents.\n',
    );
    expect((await person.types(['search', 'docs', 'keeepr'])).stdout).toBe(
      'Nothing found.\nDid you mean [keeper]? 2 documents.\n',
    );
  });

  test('says which hits are shown', async () => {
    const last = async (...words: string[]): Promise<string> =>
      (await person.types(['search', 'docs', 'horn', ...words])).stdout.trimEnd().split('\n').at(-1) ?? '';
    expect(await last('--size', '2')).toBe('3 documents found, the best 2 are shown (--size).');
    expect(await last('--size', '1', '--sort', 'newest')).toBe('3 documents found, the first 1 are shown (--size).');
    expect(await last('--size', '1', '--from', '1')).toBe('3 documents found, 2 to 2 are shown (--from, --size).');
    expect(await last('--from', '9')).toBe('3 documents found, none behind --from.');
  });

  test.each([
    [['"horn'], 'The quotation mark at character 1 of the search is not closed.'],
    [['typ:mail'], 'There is no field [typ:]. Did you mean [type:]?'],
    [['--type', 'mial'], 'There is no type [mial]. Did you mean [mail]?'],
    [['--since', 'monday'], '[monday] is no date'],
    [['horn', '--sort', 'size'], 'Allowed choices are relevance, newest'],
  ])('%j is refused with a sentence', async (words, sentence) => {
    const { code, stderr } = await person.types(['search', 'docs', ...words]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(sentence);
  });
});
