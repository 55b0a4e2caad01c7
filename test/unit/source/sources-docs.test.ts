import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openTreeSource } from '../../../src/source/registry.js';
import { JobFolder } from '../settings/job-folder.js';

/** The pages that begin with a job file. */
const pages = readdirSync('docs/sources').filter((name) => name !== 'faults.md');
const env = { FTP_PASSWORD: 'x', S3_ACCESS_KEY: 'x', S3_SECRET_KEY: 'x' };

let folder: JobFolder;
let scratch: string;

beforeEach(() => {
  folder = new JobFolder();
  scratch = mkdtempSync(join(tmpdir(), 'sources-docs-'));
});
afterEach(() => {
  folder.remove();
  rmSync(scratch, { recursive: true });
});

test.each(pages)('the job file of docs/sources/%s is complete', async (page) => {
  const text = readFileSync(join('docs/sources', page), 'utf8');
  const job = /```yaml\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  const key = join(scratch, 'key');
  writeFileSync(key, 'a key');
  const { settings } = folder.loadYaml(job.replace(/pem_path: .*/, `pem_path: ${key}`), { env });
  const expected = page === 'http.md' ? 'local' : page.replace('.md', '');
  const source = await openTreeSource(settings, { configDirectory: scratch, log: () => undefined });
  expect(source.type).toBe(expected);
  await source.close();
});

test.each(pages)('docs/sources/%s names no setting that does not exist', (page) => {
  const known = readFileSync('docs/settings.md', 'utf8');
  const text = readFileSync(join('docs/sources', page), 'utf8');
  const named = [...text.matchAll(/`((?:fs|server|rest)\.[a-z0-9_.]+)`/g)].map(([, key = '']) => key);
  for (const key of named) expect([key, known.includes(`\`${key}\``)]).toEqual([key, true]);
});
