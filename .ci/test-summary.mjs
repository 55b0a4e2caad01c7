// node .ci/test-summary.mjs FOLDER: the slowest files of the test runs that were reported there, and the closing line. Fails
// when a test failed, and when one was skipped although all tools are there.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SHOWN = 10;

const folder = process.argv[2];
const reports = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
const total = (key) => reports.reduce((sum, report) => sum + report[key], 0);
const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(total);

const files = reports.flatMap((report) => report.files).sort((left, right) => right.seconds - left.seconds);
console.log(`\nThe slowest of ${files.length} test files:`);
for (const { path, seconds } of files.slice(0, SHOWN)) console.log(`${seconds.toFixed(1).padStart(7)} s  ${path}`);
if (skipped > 0)
  console.log(`${skipped} tests were skipped: a program that they need is missing from .ci/install-tools.`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 || skipped > 0 || passed === 0 ? 1 : 0;
