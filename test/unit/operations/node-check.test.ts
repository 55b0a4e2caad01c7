import { expect, test } from '@jest/globals';
import { nodeCheck } from '../../../src/operations/doctor/machine-checks.js';

test.each([
  ['20.18.3', '2025-01-01', 'broken', 'Install Node 20.19.0 or newer.'],
  ['20.19.0', '2026-04-29', 'ok', undefined],
  ['20.19.0', '2026-05-01', 'warning', expect.stringContaining('Node 20 has had no security fixes since 2026-04-30')],
  ['24.21.0', '2028-04-29', 'ok', undefined],
  ['26.0.0', '2030-01-01', 'ok', undefined],
])('Node %s on %s is %s', (node, day, status, remedy) => {
  expect(nodeCheck(node, new Date(day))).toMatchObject({ name: 'node', status });
  expect(nodeCheck(node, new Date(day)).remedy).toEqual(remedy);
});
