import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { JobFolder, messageOf } from './job-folder.js';

let folder: JobFolder;
beforeEach(() => {
  folder = new JobFolder();
});
afterEach(() => folder.remove());

const blocks = Array.from({ length: 1000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n');
const doubled = Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} {<<: [*a${at}, *a${at}]}`).join('\n');

describe('a file that is nested without end is refused with a sentence', () => {
  test.each([
    ['lists', '_settings.yaml', `fs: ${'['.repeat(100_000)}`],
    ['maps in one line', '_settings.yaml', `name: x\nfs: ${'{a: '.repeat(50_000)}`],
    ['maps in blocks', '_settings.yaml', blocks],
    ['JSON', '_settings.json', `${'{"fs":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
    ['merges that multiply', '_settings.yaml', `a0: &a0 {url: /x}\n${doubled}\nfs: {<<: *a40}`],
    ['a merge of itself', '_settings.yaml', 'fs: &a\n  <<: *a\n'],
  ])('%s', (_, name, text) => {
    folder.write(name, text);
    expect(messageOf(() => folder.load())).toMatch(
      new RegExp(`^The configuration file \\[${name}\\] is nested too deeply (?:at line \\d+|by its merges)\\.`),
    );
  });
});
