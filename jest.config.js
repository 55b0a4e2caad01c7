// Tests run against the compiled program (dist/), so worker threads and child processes are the real ones.
// CRAWLER_DIST points at another build folder (below the project) when two builds are compared.
const dist = process.env.CRAWLER_DIST ?? 'dist';

export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
  transformIgnorePatterns: ['/node_modules/', `/${dist}/`],
  moduleNameMapper: {
    '^(?:\\.{1,2}/)+src/(.*)\\.js$': `<rootDir>/${dist}/$1.js`,
    '^(\\.{1,2}/(?!.*src/).*)\\.js$': '$1',
  },
  testTimeout: 30_000,
};
