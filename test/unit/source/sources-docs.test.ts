import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { fetchSchemaLines } from '../../../src/source/fetch-docs.js';
import { openTreeSource, sources } from '../../../src/source/registry.js';
import { providers } from '../../../src/settings/declarations/sources/index.js';
import { JobFolder } from '../settings/job-folder.js';

/** The pages that begin with a job file. */
const pages = readdirSync('docs/sources').filter((name) => name !== 'faults.md');

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
  const { settings } = folder.loadYaml(job.replace(/pem_path: .*/, `pem_path: ${key}`), { env: namedIn(job) });
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

/** A value for every variable that a job file asks for. */
function namedIn(job: string): Record<string, string> {
  return Object.fromEntries([...job.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [name, 'x']));
}

test('every source has a page, and what can be crawled is a choice of fs.provider', () => {
  expect(sources.map(({ type }) => `${type}.md`).sort()).toEqual([...pages].sort());
  const crawled = sources.filter(({ openTree }) => openTree !== undefined).map(({ type }) => type);
  expect(crawled.sort()).toEqual([...providers].sort());
});

test('docs/openapi.yaml has the fetch types and their parameters (npm run docs)', () => {
  expect(readFileSync('docs/openapi.yaml', 'utf8')).toContain(`${fetchSchemaLines().join('\n')}\n`);
});
