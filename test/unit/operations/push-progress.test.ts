import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { hasEmbeddedIndex, PushProgressFile, type PushProgress } from '../../../src/operations/push/push-progress.js';
import { silentLogger } from '../../../src/base/logger.js';
import { EmbeddedEngine } from '../../../src/engine/embedded/embedded-engine.js';
import { tempDir } from '../../support/temp-dir.js';

const { signal } = new AbortController();
const here = 'http://a:9200';
const progress: PushProgress = { index: 'docs', position: 7, copied: 6, rejected: 1, reasons: { no: 1 } };
const directory = tempDir();

async function write(id: string): Promise<void> {
  const engine = new EmbeddedEngine({ directory, baseUrl: () => undefined, version: '0', logger: silentLogger });
  await engine.write([{ kind: 'index', index: 'docs', id, document: { content: 'x' } }], signal);
  await engine.close();
}

function open(target = here, identity = 'uuid'): PushProgressFile {
  return new PushProgressFile(directory, target, identity);
}

test('a job has an embedded index from its first document on', async () => {
  expect(hasEmbeddedIndex(join(directory, 'none'))).toBe(false);
  await write('a');
  expect(hasEmbeddedIndex(directory)).toBe(true);
});

describe('the progress of a copy', () => {
  beforeEach(async () => {
    rmSync(join(directory, '_push.json'), { force: true });
    await write('a');
  });

  test('is found again by the same command', () => {
    expect(open().load()).toBeUndefined();
    open().save(progress);
    expect(open().load()).toEqual(progress);
  });

  test('does not count for another engine, nor when the index there was replaced', () => {
    open().save(progress);
    expect(open('http://b:9200').load()).toBeUndefined();
    expect(open(here, 'another').load()).toBeUndefined();
  });

  test('does not count when something was written to the embedded index since', async () => {
    open().save(progress);
    await write('b');
    expect(open().load()).toBeUndefined();
  });

  test('of two engines is kept apart, and the file goes with the last of them', () => {
    open().save(progress);
    open('http://b:9200').save({ ...progress, position: 9 });
    open().clear();
    expect(open().load()).toBeUndefined();
    expect(open('http://b:9200').load()).toMatchObject({ position: 9 });
    open('http://b:9200').clear();
    expect(existsSync(join(directory, '_push.json'))).toBe(false);
  });

  test('in a file that cannot be read is as good as none', () => {
    writeFileSync(join(directory, '_push.json'), '{"http://a:9200"');
    expect(open().load()).toBeUndefined();
    open().save(progress);
    expect(open().load()).toEqual(progress);
  });
});
