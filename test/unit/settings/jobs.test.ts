import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { hasSettings, hasState, jobDirectory, knownJobs, listJobs, validJobName } from '../../../src/settings/jobs.js';

let configDir: string;
beforeEach(() => {
  configDir = mkdtempSync(join(tmpdir(), 'crawler-jobs-'));
});
afterEach(() => rmSync(configDir, { recursive: true, force: true }));

function addJob(name: string, file = '_settings.yaml'): void {
  mkdirSync(join(configDir, name), { recursive: true });
  writeFileSync(join(configDir, name, file), '');
}

describe('the list of jobs', () => {
  test('holds every folder with settings, by name', () => {
    addJob('zebra');
    addJob('apple', '_settings.json');
    addJob('apple', '_settings.yaml');
    mkdirSync(join(configDir, 'mango', '_settings'), { recursive: true });
    expect(listJobs(configDir)).toEqual(['apple', 'mango', 'zebra']);
  });

  test('holds nothing else', () => {
    addJob('logs', 'crawler.log');
    addJob('old', '_settings.yml');
    addJob('deep/er');
    addJob('file', '_settings');
    mkdirSync(join(configDir, 'folder', '_settings.yaml'), { recursive: true });
    writeFileSync(join(configDir, '_settings.yaml'), '');
    expect(listJobs(configDir)).toEqual([]);
  });

  test.each([
    'with blank',
    'a[b]c',
    '{x,y}',
    '*',
    '!not',
    'ünï cødé 文',
    'a+(b)',
    'line\nbreak',
    '.hidden',
    "it's",
    '#1',
    'a\\b',
  ])('holds a job called %j', (name) => {
    addJob(name);
    expect(listJobs(configDir)).toEqual([name]);
  });

  test('holds a job behind a symbolic link', () => {
    addJob('real');
    symlinkSync(join(configDir, 'real'), join(configDir, 'alias'));
    expect(listJobs(configDir)).toEqual(['alias', 'real']);
  });

  test('works below a folder whose name looks like a pattern', () => {
    const odd = join(configDir, '[odd] {dir} (1)');
    mkdirSync(join(odd, 'job'), { recursive: true });
    writeFileSync(join(odd, 'job', '_settings.yaml'), '');
    expect(listJobs(odd)).toEqual(['job']);
  });

  test('of a folder that does not exist is empty', () => {
    expect(listJobs(join(configDir, 'nope'))).toEqual([]);
  });
});

describe('the jobs that are known', () => {
  test('are those with settings, and those that were run without a file of settings', () => {
    addJob('zebra');
    addJob('by_variables', 'catalog.db');
    addJob('uploads', 'index.db');
    addJob('old', '_status.json');
    addJob('logs', 'crawler.log');
    mkdirSync(join(configDir, 'empty'));
    expect(knownJobs(configDir)).toEqual(['by_variables', 'old', 'uploads', 'zebra']);
    addJob('file', '_settings');
    mkdirSync(join(configDir, 'folder', '_settings'), { recursive: true });
    const jobs = ['zebra', 'folder', 'file', 'by_variables', 'empty'];
    expect(jobs.map((job) => hasSettings(configDir, job))).toEqual([true, true, false, false, false]);
    expect(['zebra', 'by_variables', 'empty'].map((job) => hasState(configDir, job))).toEqual([false, true, false]);
  });
});

test('the directory of a job is below the config directory', () => {
  expect(jobDirectory('/cfg', 'job')).toBe(join('/cfg', 'job'));
});

test.each([
  ['job', true],
  ['My job 文', true],
  ['...', true],
  ['x'.repeat(255), true],
  ['x'.repeat(256), false],
  ['', false],
  ['.', false],
  ['..', false],
  ['a/b', false],
  ['a\\b', false],
  ['a\0', false],
])('%j as the name of a job: %s', (name, isValid) => {
  expect(validJobName(name)).toBe(isValid);
});
