import { beforeEach, expect, test } from '@jest/globals';
import { EngineGate } from '../../../src/app/engine-gate.js';
import { silentLogger } from '../../../src/base/logger.js';
import { MemoryEngine } from '../../support/memory-engine.js';

const { signal } = new AbortController();

let engine: MemoryEngine;
let gate: EngineGate;

beforeEach(() => {
  engine = new MemoryEngine();
  gate = new EngineGate(engine, silentLogger, signal);
});

test('an index that is still the same is prepared once', async () => {
  expect(await gate.identity()).toBe('memory');
  expect(await gate.identity()).toBe('memory');
  expect(engine.prepared).toBe(1);
});

test('an index that was lost while the program runs is prepared again, and its new identity is told', async () => {
  await gate.identity();
  engine.currentIdentity = 'another';
  expect(await gate.identity()).toBe('another');
  expect(engine.prepared).toBe(2);
  expect(await gate.identity()).toBe('another');
  expect(engine.prepared).toBe(2);
});

test('an engine that is away at the start of a scan is told as such, and asked again by the next one', async () => {
  await gate.identity();
  engine.down = true;
  await expect(gate.identity()).rejects.toMatchObject({ code: 'unavailable' });
  engine.down = false;
  expect(await gate.identity()).toBe('memory');
  expect(gate.problem).toBeUndefined();
});
