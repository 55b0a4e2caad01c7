import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  aliasNameFault,
  aliasOfJob,
  indexNameFault,
  indexOfJob,
  validIndexName,
} from '../../../src/model/index-names.js';

describe('the index of a job', () => {
  test.each([
    ['docs', 'docs_docs', 'docs_folder'],
    ['my_job-2.0', 'my_job-2.0_docs', 'my_job-2.0_folder'],
    ['übersicht', 'übersicht_docs', 'übersicht_folder'],
    ['.hidden', '.hidden_docs', '.hidden_folder'],
    ['a(b)', 'a(b)_docs', 'a(b)_folder'],
  ])('is named as FSCrawler does it where engines take the name: %j', (job, docs, folder) => {
    expect([indexOfJob(job, '_docs'), indexOfJob(job, '_folder')]).toEqual([docs, folder]);
  });

  // Frozen: another name would be another index.
  test.each([
    ['Documents', 'documents-b4e929d8_docs'],
    ['My Files (2)', 'my_files_2-db41d336_docs'],
    ['Übersicht 2025', 'übersicht_2025-80bc90f8_docs'],
    ['-x', 'x-a4209624_docs'],
    ['_x', 'x-a01e47cb_docs'],
    ['a:b', 'a_b-6783a31e_docs'],
    ['***', 'job-596f4162_docs'],
  ])('is derived where they do not: %j', (job, index) => {
    expect(indexOfJob(job, '_docs')).toBe(index);
  });

  test('is never shared by jobs that differ', () => {
    const jobs = ['docs', 'Docs', 'DOCS', 'do cs', 'do#cs', '-docs', '+docs', 'd'.repeat(255), `${'d'.repeat(254)}e`];
    expect(new Set(jobs.map((job) => indexOfJob(job, '_docs'))).size).toBe(jobs.length);
  });

  test('is valid for every name that a folder can have, with its alias', () => {
    const names = fc
      .oneof(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }),
        fc.string({ unit: 'grapheme', minLength: 200, maxLength: 255 }),
      )
      .filter((name) => !/[/\0]/.test(name));
    fc.assert(
      fc.property(names, (name) => {
        expect(indexNameFault(indexOfJob(name, '_docs'))).toBeUndefined();
        expect(indexNameFault(indexOfJob(name, '_folder'))).toBeUndefined();
        expect(aliasNameFault(aliasOfJob(name))).toBeUndefined();
        expect(indexNameFault(validIndexName(name))).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });
});

test.each([
  ['docs', 'docs'],
  ['Docs', 'Docs'],
  ['My Files', expect.stringMatching(/^my_files-[0-9a-f]{8}$/)],
])('the alias of the job %j is its name where that can be one', (job, alias) => {
  expect(aliasOfJob(job)).toEqual(alias);
});

test.each([
  ['a_b', undefined],
  ['Upper', 'The index name [Upper] must be in lower case.'],
  ['a b', 'The index name [a b] must not contain [ ].'],
  ['a/b', 'The index name [a/b] must not contain [/].'],
  ['_a', 'The index name [_a] must not begin with - _ or +.'],
  ['..', '[..] is not a valid name for an index.'],
  ['', '[] is not a valid name for an index.'],
  ['ü'.repeat(128), `The index name [${'ü'.repeat(128)}] is longer than 255 bytes.`],
])('the index name %j: %s', (name, fault) => {
  expect(indexNameFault(name)).toBe(fault);
});
