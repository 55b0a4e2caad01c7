import { beforeEach, describe, expect, test } from '@jest/globals';
import { ResourceBudget } from '../../../../../src/extract/runtime/sandbox/resource-budget.js';

const MIB = 1024 * 1024;

describe('the resource budget of a document', () => {
  let now: number;
  let resident: number;
  let budget: ResourceBudget;

  beforeEach(() => {
    now = 1_000;
    resident = 10;
    budget = new ResourceBudget(
      { timeMs: 80, memoryBytes: 100 },
      () => resident,
      () => now,
    );
  });

  test('lasts until the time limit', () => {
    now += 80;
    expect(() => budget.check()).not.toThrow();
    now += 1;
    expect(() => budget.check()).toThrow(expect.objectContaining({ code: 'timed_out' }));
  });

  test('does not include the time that the document waits for another process', () => {
    budget.pause();
    budget.pause();
    now += 100;
    expect(() => budget.check()).not.toThrow();
    budget.resume();
    expect(() => budget.check()).not.toThrow();
    budget.resume();
    now += 80;
    expect(() => budget.check()).not.toThrow();
    now += 1;
    expect(() => budget.check()).toThrow(expect.objectContaining({ code: 'timed_out' }));
  });

  test('is exceeded by a process that is too large', () => {
    resident = 101;
    now += 50;
    expect(() => budget.check()).toThrow(expect.objectContaining({ code: 'too_large' }));
  });

  test('is not compared with the memory of the process by a document that is quick', () => {
    resident = 101;
    now += 49;
    expect(() => budget.check()).not.toThrow();
  });

  test('is checked again after some megabytes, however little time has passed', () => {
    now += 50;
    budget.check();
    resident = 101;
    expect(() => budget.check()).not.toThrow();
    budget.count(5 * MIB);
    expect(() => budget.check()).toThrow(expect.objectContaining({ code: 'too_large' }));
  });
});
