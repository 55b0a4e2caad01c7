import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeFile } from '../../../src/base/file-format.js';
import { indexFormat } from '../../../src/engine/embedded/store/upgrades.js';
import { catalogFormat } from '../../../src/state/catalog-upgrades.js';
import { runCrawler } from '../../support/crawler-process.js';
import { tempDir } from '../../support/temp-dir.js';

interface Bucket {
  readonly settings: string;
  readonly objectsRead: string[];
  stop(): void;
}

const KEPT = resolve('test/corpus/formats');
const { startBucket } = (await import(resolve('test/full/upgrade/bucket.mjs'))) as {
  startBucket: () => Promise<Bucket>;
};
const config = tempDir();
let bucket: Bucket;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.stop());

test.each(readdirSync(KEPT))('what release %s has written is upgraded, and nothing is read again', async (version) => {
  const job = join(config, version);
  cpSync(join(KEPT, version), job, { recursive: true });
  writeFileSync(join(job, '_settings.yaml'), `name: harbour\n${bucket.settings}`);
  cpSync(job, join(config, 'harbour'), { recursive: true });
  bucket.objectsRead.length = 0;

  const crawled = await runCrawler(['harbour', '--loop', '1', '--config_dir', config]);
  expect(crawled).toMatchObject({ code: 0, stderr: '' });
  expect(crawled.stdout).toContain('indexed [0], deleted [0]');
  expect(bucket.objectsRead).toEqual([]);
  const verified = await runCrawler(['verify', 'harbour', '--config_dir', config]);
  expect(verified.stdout).toContain('Tree, catalog and index agree.');
  const found = await runCrawler(['search', 'harbour', 'lighthouse', '--json', '--config_dir', config]);
  expect(found.stdout.trim().split('\n')).toHaveLength(2);
  expect(describeFile(join(config, 'harbour', 'catalog.db'), catalogFormat)?.format).toBe(catalogFormat.current);
  expect(describeFile(join(config, 'harbour', 'index.db'), indexFormat)?.format).toBe(indexFormat.current);
});

test('the release of package.json is kept when it is older than the work here', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const changes = readFileSync('CHANGELOG.md', 'utf8');
  const released = [...changes.matchAll(/^## (\d+\.\d+\.\d+)/gm)]
    .map(([, each]) => each)
    .filter((each) => each !== version);
  expect(readdirSync(KEPT)).toEqual(expect.arrayContaining(released));
});
