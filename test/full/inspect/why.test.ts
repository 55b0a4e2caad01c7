import { rmSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { InspectedTree } from '../../support/inspected-tree.js';

let tree: InspectedTree;

beforeEach(() => {
  tree = new InspectedTree();
});
afterEach(() => tree.dispose());

describe('why', () => {
  test('an indexed file: id, size, date, extractor', async () => {
    tree.file('sub/a.txt', 'some text');
    await tree.run();
    const answer = await tree.why('sub/a.txt');
    expect(answer).toMatchObject({
      job: 'job',
      standing: 'indexed',
      document: { index: 'job_docs', extractor: 'text', characters: 10, truncated: false },
      file: { size: 9 },
      record: { state: 'indexed', size: 9 },
    });
    expect(answer.id).toMatch(/^[0-9a-f]+$/);
    expect(answer.record?.atMs).toBeGreaterThan(0);
  });

  test('an indexed file whose text was cut', async () => {
    tree.file('a.txt', 'x'.repeat(5000));
    tree.set('fs.indexed_chars=100');
    await tree.run();
    expect((await tree.why('a.txt')).document).toMatchObject({ characters: 100, truncated: true });
  });

  test('a file in the index without its text says what is missing', async () => {
    tree.file('a.pdf', '%PDF-1.4\nnot really');
    await tree.run();
    const answer = await tree.why('a.pdf');
    expect(answer).toMatchObject({ standing: 'indexed', reason: 'corrupt' });
    expect(answer.sentence).toContain('without all of its text');
  });

  test('the exclude pattern that matches, with file and line', async () => {
    tree.settings('fs:', '  excludes:', '    - "*/~*"', '    # drafts', '    - "*.draft"', '    - /private/*');
    tree.file('a.draft');
    tree.file('private/deep/b.txt');
    await tree.run();
    expect(await tree.why('a.draft')).toMatchObject({
      standing: 'left_out',
      reason: 'excluded',
      rule: { text: 'fs.excludes *.draft', at: tree.path('a.draft') },
      origin: { setting: 'fs.excludes', pattern: '*.draft', origin: '_settings.yaml:5' },
    });
    const below = await tree.why('private/deep/b.txt');
    expect(below).toMatchObject({ rule: { at: tree.path('private') }, origin: { origin: '_settings.yaml:6' } });
    expect(below.sentence).toContain(`the folder [${tree.path('private')}], and so everything below it`);
  });

  test('the includes that do not match, and where they were given', async () => {
    tree.file('a.txt');
    tree.set('fs.includes=*.pdf');
    await tree.run();
    expect(await tree.why('a.txt')).toMatchObject({
      reason: 'excluded',
      sentence: 'No pattern of fs.includes matches it.',
      origin: { setting: 'fs.includes', origin: '--set' },
    });
  });

  test.each([
    ['.crawlerignore', 'sub/.crawlerignore'],
    ['.FSCrawlerIgnore', 'sub/.FSCrawlerIgnore'],
  ])('a marker file in a folder above, also written as %s', async (_, marker) => {
    tree.file(marker, '');
    tree.file('sub/deep/a.txt');
    await tree.run();
    expect(await tree.why('sub/deep/a.txt')).toMatchObject({
      standing: 'left_out',
      reason: 'ignored_folder',
      rule: { at: tree.path('sub'), text: tree.path(marker) },
    });
  });

  test('a file that is too large: its size and the limit', async () => {
    tree.file('big.txt', 'x'.repeat(3000));
    tree.set('fs.ignore_above=2kb');
    await tree.run();
    const answer = await tree.why('big.txt');
    expect(answer).toMatchObject({ standing: 'left_out', reason: 'too_large' });
    expect(answer.sentence).toBe('It has 2.9kb, more than the 2kb of fs.ignore_above.');
  });

  test('a symbolic link, a broken link, and a link once links are followed', async () => {
    tree.file('a.txt');
    symlinkSync('a.txt', tree.path('link.txt'));
    symlinkSync('nowhere', tree.path('broken.txt'));
    await tree.run();
    expect(await tree.why('link.txt')).toMatchObject({ standing: 'left_out', reason: 'symlink' });
    expect(await tree.why('broken.txt')).toMatchObject({ standing: 'left_out', reason: 'symlink' });
    tree.set('fs.follow_symlinks=true');
    expect(await tree.why('link.txt')).toMatchObject({ standing: 'waiting' });
    await tree.run();
    expect(await tree.why('link.txt')).toMatchObject({ standing: 'indexed' });
    expect(await tree.why('broken.txt')).toMatchObject({ standing: 'left_out', reason: 'special' });
  });

  test('a text that fs.filters keeps out', async () => {
    tree.file('a.txt', 'nothing of interest');
    tree.set('fs.filters=invoice');
    await tree.run();
    expect(await tree.why('a.txt')).toMatchObject({ standing: 'left_out', reason: 'filtered' });
    tree.file('a.txt', 'an invoice');
    expect(await tree.why('a.txt')).toMatchObject({ standing: 'waiting' });
  });

  test('a file that failed: the sentence, the tries, the next try', async () => {
    tree.file('a.json', '{broken');
    tree.set('fs.json_support=true');
    await tree.run();
    const answer = await tree.why('a.json');
    expect(answer).toMatchObject({ standing: 'failed', reason: 'corrupt', record: { state: 'failed', tries: 1 } });
    expect(answer.sentence).toContain('Unable to parse JSON');
    expect(answer.record?.retryMs).toBeGreaterThan(Date.now());
    tree.file('a.json', '{"broken":false}');
    expect((await tree.why('a.json')).sentence).toContain('It has changed since, so the next scan tries it again.');
  });

  test('what the engine refused, with its words', async () => {
    tree.file('a.json', '[1]');
    tree.file('b.json', '{"file":"plain"}');
    tree.set('fs.json_support=true');
    await tree.run();
    const answer = await tree.why('b.json');
    expect(answer).toMatchObject({ standing: 'failed', reason: 'rejected' });
    expect(answer.sentence).toContain('file');
  });

  test('what waits: a new file, a changed one, one under other settings, one without any run', async () => {
    tree.file('a.txt');
    expect(await tree.why('a.txt')).toMatchObject({ standing: 'waiting', sentence: 'The job has not been run yet.' });
    await tree.run();
    tree.file('new.txt');
    expect(await tree.why('new.txt')).toMatchObject({ standing: 'waiting', sentence: 'No scan has seen it yet.' });
    tree.set('fs.indexed_chars=1');
    expect(await tree.why('a.txt')).toMatchObject({ standing: 'waiting' });
    tree.set();
    tree.file('a.txt', 'changed');
    expect((await tree.why('a.txt')).sentence).toBe('It has changed since it was indexed.');
  });

  test('tags of a folder are part of what a document is made of', async () => {
    tree.file('a.txt');
    tree.file('.meta.yml', 'external:\n  project: x\n');
    await tree.run();
    expect(await tree.why('a.txt')).toMatchObject({ standing: 'indexed' });
    expect(await tree.why('.meta.yml')).toMatchObject({ standing: 'left_out', reason: 'metadata_file' });
    tree.file('.meta.yml', 'external:\n  project: y\n');
    expect(await tree.why('a.txt')).toMatchObject({ standing: 'waiting' });
  });

  test('what is not there: never was, was removed, lies elsewhere', async () => {
    tree.file('a.txt');
    await tree.run();
    expect(await tree.why('never.txt')).toMatchObject({ standing: 'absent' });
    expect(await tree.why('no/such/folder.txt')).toMatchObject({ standing: 'absent' });
    rmSync(tree.path('a.txt'));
    expect(await tree.why('a.txt')).toMatchObject({ standing: 'gone' });
    expect(await tree.why('../elsewhere.txt')).toMatchObject({ standing: 'outside' });
  });

  test('a folder: what is in it', async () => {
    tree.file('sub/a.txt');
    tree.file('sub/b.txt');
    await tree.run();
    const answer = await tree.why('sub');
    expect(answer).toMatchObject({ what: 'folder', standing: 'indexed' });
    expect(answer.sentence).toContain('2 indexed');
  });

  test('an engine that is away is said, and the file does not count as indexed', async () => {
    tree.file('a.txt');
    await tree.run();
    // A port that refuses.
    tree.set('engine.urls=http://127.0.0.1:9');
    const answer = await tree.why('a.txt');
    expect(answer.standing).not.toBe('indexed');
    expect(answer.engineFault).toBe('it does not answer.');
  });
});
