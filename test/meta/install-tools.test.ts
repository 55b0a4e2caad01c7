import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import glob from 'fast-glob';

/** They come with what runs the tests. */
const GIVEN = ['bash', 'npm'];

const script = readFileSync('.ci/install-tools', 'utf8');
const installed = new Set(
  Array.from(
    script.matchAll(/^ {2}(?:debian|beside|go_program|python_program) (\S+) /gm),
    ([, program]) => program ?? '',
  ),
);

test('every program without which a suite is skipped is installed by .ci/install-tools', () => {
  const suites = glob.sync('test/**/*.test.ts').map((file) => readFileSync(file, 'utf8'));
  const asked = new Set(
    suites
      .flatMap((text) => text.match(/describeWith\(\[[^\]]+\]/g) ?? [])
      .flatMap((call) => Array.from(call.matchAll(/'([^']+)'/g), ([, program]) => program ?? '')),
  );
  expect(installed.size).toBeGreaterThan(10);
  expect([...asked].filter((program) => !installed.has(program) && !GIVEN.includes(program))).toEqual([]);
  expect(asked).toContain('apache2');
});

/** What is on every Debian with Node, and words of the shell itself. */
const BASE = new Set(
  `apt-get awk basename chmod chown cp cut cat date dirname dpkg dpkg-deb dpkg-query du find grep gzip id install ln ls
   mkdir mktemp mv node npm npx readlink rm sed sha256sum sort tail tar tee touch tr wc
   . [ [[ case cd command do done echo elif else esac exec exit export fi for if local mapfile printf return set shift
   then trap true while`.split(/\s+/),
);

/** What .ci/install-tools brings along for itself, and what only GitHub's workflows run, where it is. */
const ELSEWHERE = new Set(['go', 'gh']);

test('every program that a script runs is installed by .ci/install-tools', () => {
  const scripts = glob
    .sync(['.ci/*', 'packaging/**'], { dot: true, ignore: ['**/node_modules/**'] })
    .map((file) => [file, readFileSync(file, 'utf8')] as const)
    .filter(([, text]) => /^#!.*sh\n/.test(text));
  const asked = scripts.flatMap(([file, text]) => programsOf(text).map((program) => [program, file] as const));
  const unknown = asked.filter(([program]) => !installed.has(program) && !BASE.has(program) && !ELSEWHERE.has(program));
  expect(unknown).toEqual([]);
  expect(asked.map(([program]) => program)).toEqual(expect.arrayContaining(['shellcheck', 'umoci', 'minisign']));
});

/** The words of a script that stand where a command does. */
function programsOf(text: string): readonly string[] {
  const functions = new Set(Array.from(text.matchAll(/^(\w+)\(\)/gm), ([, name]) => name));
  const code = text
    .replaceAll(/^\s*#.*$/gm, '')
    .replaceAll(/^\s*[\w-]+(?: \| [\w-]+)*\)/gm, '')
    .replaceAll(/=\([^)]*\)/g, '=x')
    .replaceAll(/\\\n/g, ' ')
    .replaceAll(/'[^']*'/g, "''")
    .replaceAll(/"(?:[^"$\n]|\$(?!\())*"/g, '""');
  const words = code.matchAll(
    /(?:^|[;|&(]|\b(?:then|do|else|if|refuses|quietly)\b)\s*(?:! )?([a-z][\w.-]*)(?=[\s;)]|$)/gm,
  );
  return Array.from(words, ([, word]) => word ?? '').filter((word) => !functions.has(word));
}
