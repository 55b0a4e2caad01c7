import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CheckpointFile } from '../../../src/state/checkpoint-file.js';
import type { Checkpoint } from '../../../src/state/checkpoint.js';

let directory: string;
let file: CheckpointFile;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-checkpoint-'));
  file = new CheckpointFile(directory);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const checkpoint: Checkpoint = {
  state: 'RUNNING',
  scan_id: 'b6c0a4de-7a16-4a53-8b3c-0f9b4f7a0d11',
  scan_start_time: '2026-01-01T12:00:00.691Z',
  current_path: '/docs/sub',
  files_processed: 50,
  files_deleted: 2,
  retry_count: 1,
  last_error: 'connection reset',
};

test('what was saved comes back, and no temporary file stays', async () => {
  await file.save(checkpoint);
  expect(await file.load()).toEqual(checkpoint);
  expect(readdirSync(directory)).toEqual(['_checkpoint.json']);
});

test('any counts and texts survive the round trip', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat(), fc.string({ minLength: 1 }), async (processed, deleted, error) => {
      const one = { ...checkpoint, files_processed: processed, files_deleted: deleted, last_error: error };
      await file.save(one);
      expect(await file.load()).toEqual(one);
    }),
    { numRuns: 30 },
  );
});

test('none is undefined, clearing none is false', async () => {
  expect(await file.load()).toBeUndefined();
  expect(await file.clear()).toBe(false);
  await file.save(checkpoint);
  expect(await file.clear()).toBe(true);
  expect(await file.load()).toBeUndefined();
});

describe("the peer's file", () => {
  test('is understood, with nanoseconds, zone-less dates and epoch milliseconds', async () => {
    writeFileSync(
      file.path,
      JSON.stringify({
        completed_paths: ['/tmp/es'],
        pending_paths: ['/tmp/es/other'],
        current_path: '/tmp/es/sub',
        current_path_files_indexed_count: 0,
        files_processed: 50,
        scan_date: 1_767_261_600_000,
        scan_start_time: '2026-01-01T12:00:00.691022619Z',
        next_check: '2026-01-01T12:14:58',
        scan_id: '53dfec98-c729-4332-9506-6cd7e1ee0a86',
        state: 'RUNNING',
      }),
    );
    expect(await file.load()).toEqual({
      state: 'RUNNING',
      current_path: '/tmp/es/sub',
      files_processed: 50,
      files_deleted: 0,
      retry_count: 0,
      scan_date: '2026-01-01T10:00:00.000Z',
      scan_start_time: '2026-01-01T12:00:00.691Z',
      next_check: new Date('2026-01-01T12:14:58').toISOString(),
      scan_id: '53dfec98-c729-4332-9506-6cd7e1ee0a86',
    });
  });

  test.each(['', '{', '[]', 'null', '{"state": '])(
    'damaged as %j is refused with its path, and can be put aside',
    async (text) => {
      writeFileSync(file.path, text);
      await expect(file.load()).rejects.toMatchObject({
        code: 'corrupt',
        message: expect.stringContaining(file.path) as unknown as string,
      });
      const aside = await file.setAside();
      expect(readFileSync(aside, 'utf8')).toBe(text);
      expect(await file.load()).toBeUndefined();
    },
  );

  test('_status.json of old releases becomes a completed checkpoint, once', async () => {
    const legacy = join(directory, '_status.json');
    const status = {
      name: 'x',
      lastrun: '2020-02-03T04:05:06',
      next_check: '2020-02-03T04:20:06',
      indexed: 7,
      deleted: 1,
    };
    writeFileSync(legacy, JSON.stringify(status));
    expect(await file.migrateLegacyStatus()).toBe(true);
    const lastRun = new Date('2020-02-03T04:05:06').toISOString();
    expect(await file.load()).toMatchObject({
      state: 'COMPLETED',
      scan_date: lastRun,
      files_processed: 7,
      files_deleted: 1,
    });
    expect(existsSync(legacy)).toBe(false);
    expect(await file.migrateLegacyStatus()).toBe(false);
  });
});

test('the stamp changes with every edit', async () => {
  expect(await file.stamp()).toBe('absent');
  await file.save(checkpoint);
  const stamp = await file.stamp();
  await file.save({ ...checkpoint, files_processed: 51 });
  expect(await file.stamp()).not.toBe(stamp);
});
