import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { silentLogger } from '../../../../src/base/logger.js';
import { EmbeddedEngine } from '../../../../src/engine/embedded/embedded-engine.js';
import { withTempDir } from '../../../support/temp-dir.js';
import { SIGNAL } from './library.js';

function open(directory: string): EmbeddedEngine {
  return new EmbeddedEngine({ directory, baseUrl: () => undefined, version: '1.2.3', logger: silentLogger });
}

async function write(engine: EmbeddedEngine, id: string): Promise<void> {
  const [outcome] = await engine.write([{ kind: 'index', index: 'docs', id, document: { content: id } }], SIGNAL);
  expect(outcome).toEqual({ ok: true, id });
}

test('the identity stays while the file stays', async () => {
  await withTempDir(async (directory) => {
    const engine = open(directory);
    const { identity } = await engine.prepare(SIGNAL);
    await write(engine, 'a');
    expect(await engine.identity(SIGNAL)).toBe(identity);
    await engine.close();
  });
});

test.each([
  ['removed with its log', ['', '-wal', '-shm']],
  ['removed without its log', ['']],
])('a file that is %s while it is used is noticed, and a new one takes the documents', async (_how, suffixes) => {
  await withTempDir(async (directory) => {
    const engine = open(directory);
    const { identity } = await engine.prepare(SIGNAL);
    await write(engine, 'old');
    expect(await engine.count('docs', undefined, SIGNAL)).toBe(1);
    for (const suffix of suffixes) rmSync(join(directory, `index.db${suffix}`), { force: true });
    expect(await engine.identity(SIGNAL)).not.toBe(identity);
    await write(engine, 'new');
    expect(await engine.get('docs', 'old', SIGNAL)).toBeUndefined();
    await engine.close();
    const reader = open(directory);
    expect(await reader.get('docs', 'new', SIGNAL)).toMatchObject({ source: { content: 'new' } });
    await reader.close();
  });
});

test('a file that was replaced by another index is that index from then on', async () => {
  await withTempDir(async (directory) => {
    const other = open(join(directory, 'other'));
    const { identity } = await other.prepare(SIGNAL);
    await write(other, 'elsewhere');
    await other.close();
    const engine = open(directory);
    await write(engine, 'here');
    renameSync(join(directory, 'other', 'index.db'), join(directory, 'index.db'));
    expect(await engine.identity(SIGNAL)).toBe(identity);
    expect(await engine.get('docs', 'elsewhere', SIGNAL)).toMatchObject({ id: 'elsewhere' });
    await engine.close();
  });
});
