// Before the tests (`--globalSetup`): the program that they start is the one of the package, as people will have it installed.
// It also starts in two thirds of the time that dist/ needs, and tests start it more than a thousand times.
import { execFileSync } from 'node:child_process';

const FOLDER = 'build/tested-package';

export default function makePackage() {
  // Where this is set, Node parses all its certificates before each program, which is more than half of its start: 60 of
  // 100 ms. Only npm may need them.
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
  if (certificates !== undefined) process.env.TEST_NPM_CERTIFICATES = certificates;
  delete process.env.NODE_EXTRA_CA_CERTS;
  if (process.env.PROGRAM_PACKAGE !== undefined || process.env.PROGRAM_DIST !== undefined) return;
  execFileSync(process.execPath, ['.ci/package/make-package.mjs', FOLDER], { stdio: ['ignore', 'ignore', 'inherit'] });
  process.env.PROGRAM_PACKAGE = FOLDER;
}
