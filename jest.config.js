// Tests run against the compiled program (dist/), so worker threads and child processes are the real ones.
// PROGRAM_DIST points at another build folder (below the project) when two builds are compared.
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const root = import.meta.dirname;
const dist = process.env.PROGRAM_DIST ?? 'dist';
const escaped = root.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

// What needs servers, other programs or minutes lies in test/full/ and runs with `npm run test:all`; everything else is
// `npm test`.
const folders = readdirSync(`${root}/test`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const isFull = (folder) => folder === 'full';

const project = {
  rootDir: root,
  testEnvironment: 'node',
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
  // By the whole path: the project itself may lie below a folder of one of these names.
  transformIgnorePatterns: [`^${escaped}/(?:node_modules|${dist})/`],
  moduleNameMapper: {
    // Only where the program itself asks for it: tests get the one of the program.
    '^(?:\\.{1,2}/)+base/entry-points\\.js$': '<rootDir>/test/support/packed-entry-points.ts',
    '^(?:\\.{1,2}/)+src/(.*)\\.js$': `<rootDir>/${dist}/$1.js`,
    '^(\\.{1,2}/(?!.*src/).*)\\.js$': '$1',
  },
};

function projectOf(displayName, names) {
  return { ...project, displayName, roots: names.map((name) => `<rootDir>/test/${name}`) };
}

export default {
  projects: [
    projectOf(
      'fast',
      folders.filter((name) => !isFull(name)),
    ),
    projectOf('full', folders.filter(isFull)),
  ],
  // Only for what hangs: on a machine with ten times the load, everything takes ten times as long.
  testTimeout: 240_000,
  testSequencer: '<rootDir>/test/support/slow-first.mjs',
  // Many tests wait: for processes that end, limits that pass, servers that come back. Three of the fast ones keep two cores
  // busy, five of the others; with seven a run takes as long.
  maxWorkers: Math.ceil((process.argv.includes('full') ? 2.5 : 1.5) * availableParallelism()),
  // Each test file loads modules of its own, and what was loaded with --experimental-vm-modules is not given back.
  workerIdleMemoryLimit: '600MB',
  reporters: ['default', ...(process.env.TEST_REPORTS_FOLDER === undefined ? [] : ['<rootDir>/.ci/test-reporter.mjs'])],
};
