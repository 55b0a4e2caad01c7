import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import glob from 'fast-glob';

/** They come with what runs the tests. */
const GIVEN = ['bash', 'npm'];

test('every program without which a suite is skipped is installed by .ci/install-tools', () => {
  const suites = glob.sync('test/**/*.test.ts').map((file) => readFileSync(file, 'utf8'));
  const asked = new Set(
    suites
      .flatMap((text) => text.match(/describeWith\(\[[^\]]+\]/g) ?? [])
      .flatMap((call) => Array.from(call.matchAll(/'([^']+)'/g), ([, program]) => program ?? '')),
  );
  const script = readFileSync('.ci/install-tools', 'utf8');
  const installed = new Set(
    Array.from(script.matchAll(/^ {2}(?:debian|beside|go_program) (\S+) /gm), ([, program]) => program ?? ''),
  );
  expect(installed.size).toBeGreaterThan(10);
  expect([...asked].filter((program) => !installed.has(program) && !GIVEN.includes(program))).toEqual([]);
  expect(asked).toContain('apache2');
});
