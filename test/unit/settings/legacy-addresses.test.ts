import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { loadSettings } from '../../../src/settings/load-settings.js';
import { CheckpointFile } from '../../../src/state/checkpoint-file.js';

/** `rest.legacy` is on by itself for a job that was FSCrawler's, and can be switched off. */
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'legacy-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

interface Job {
  readonly configDir?: string;
  /** Files of the job's folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly overrides?: readonly string[];
}

function folderOf({ configDir = 'jobs' }: Job): string {
  return join(home, configDir, 'job');
}

function legacy(job: Job): boolean | undefined {
  const { files = {}, env = {}, overrides = [] } = job;
  mkdirSync(folderOf(job), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folderOf(job), name), text);
  const configDir = join(folderOf(job), '..');
  const { settings } = loadSettings({ configDir, job: 'job', env, overrides, fsJavaOpts: undefined });
  return settings.rest.legacy;
}

const PLAIN = { '_settings.yaml': 'fs:\n  url: /data\n' };

describe('the addresses of FSCrawler 2', () => {
  test.each<[string, Job]>([
    ['its name for the engine', { files: { '_settings.yaml': 'elasticsearch:\n  index: docs\n' } }],
    ['an old key of it', { files: { '_settings.json': '{"elasticsearch":{"nodes":[{"url":"http://es:9200"}]}}' } }],
    ['its status file', { files: { ...PLAIN, '_status.json': '{}' } }],
    ['its cache of access rights', { files: { ...PLAIN, '_acl_cache.json': '{}' } }],
    ['its folder of jobs', { configDir: '.fscrawler', files: PLAIN }],
    ['the path of its service', { files: { '_settings.yaml': 'rest:\n  url: http://127.0.0.1:8080/fscrawler\n' } }],
    ['its old keys of the service', { files: { '_settings.yaml': 'rest:\n  host: 127.0.0.1\n  port: 8080\n' } }],
    ['its variables', { files: PLAIN, env: { FSCRAWLER_FS_URL: '/data' } }],
  ])('are answered for a job that shows %s, unless it says no', (_name, job) => {
    expect(legacy(job)).toBe(true);
    expect(legacy({ ...job, overrides: ['rest.legacy=false'] })).toBe(false);
  });

  test('are not answered for a job of our own, unless it says so', () => {
    expect(legacy({ files: PLAIN })).toBe(false);
    expect(legacy({ files: PLAIN, env: { CRAWLER_FS_URL: '/data', PATH: '/bin' } })).toBe(false);
    expect(legacy({ files: PLAIN, overrides: ['engine.urls=http://es:9200'] })).toBe(false);
    expect(legacy({ files: PLAIN, overrides: ['rest.legacy=true'] })).toBe(true);
  });

  test('are still answered after its status file was migrated', async () => {
    const job: Job = { files: { ...PLAIN, '_status.json': '{"name":"job","lastrun":"2020-02-03T04:05:06"}' } };
    expect(legacy(job)).toBe(true);
    expect(await new CheckpointFile(folderOf(job)).migrateLegacyStatus()).toBe(true);
    expect(legacy({})).toBe(true);
  });
});
