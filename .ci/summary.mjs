// Prints the closing line of the run, and fails when a suite was skipped although all tools are there.
import { readFileSync } from 'node:fs';

const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } = JSON.parse(
  readFileSync(process.argv[2], 'utf8'),
);
const skipped = numPendingTests + numTodoTests;
const failed = numFailedTests + numRuntimeErrorTestSuites;
if (skipped > 0)
  console.log(`${skipped} tests were skipped: a program that they need is missing from .ci/install-tools.`);
console.log(`${numPassedTests} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 || skipped > 0 ? 1 : 0;
