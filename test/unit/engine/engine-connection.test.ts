import { beforeEach, expect, test } from '@jest/globals';
import { EngineConnection } from '../../../src/engine/engine-connection.js';
import { silentLogger } from '../../../src/base/logger.js';
import { MemoryEngine } from '../../support/memory-engine.js';

const { signal } = new AbortController();

let engine: MemoryEngine;
let connection: EngineConnection;

beforeEach(() => {
  engine = new MemoryEngine();
  connection = new EngineConnection(engine, silentLogger, signal);
});

test('an index that is still the same is prepared once', async () => {
  expect(await connection.identity()).toBe('memory');
  expect(await connection.identity()).toBe('memory');
  expect(engine.prepared).toBe(1);
});

test('an index that was lost while the program runs is prepared again, and its new identity is reported', async () => {
  await connection.identity();
  engine.currentIdentity = 'another';
  expect(await connection.identity()).toBe('another');
  expect(engine.prepared).toBe(2);
  expect(await connection.identity()).toBe('another');
  expect(engine.prepared).toBe(2);
});

test('an engine that is away at the start of a scan is reported as such, and asked again by the next one', async () => {
  await connection.identity();
  engine.down = true;
  await expect(connection.identity()).rejects.toMatchObject({ code: 'unavailable' });
  engine.down = false;
  expect(await connection.identity()).toBe('memory');
  expect(connection.problem).toBeUndefined();
});
