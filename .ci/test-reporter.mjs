// A reporter of Jest beside its own: leaves the counts of a run and the time of each file in the folder that
// TEST_REPORTS_FOLDER names, for .ci/test-summary.mjs.
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export default class TestReporter {
  onRunComplete(_contexts, results) {
    const report = {
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
      files: results.testResults.map(({ testFilePath, perfStats }) => ({
        path: relative(process.cwd(), testFilePath),
        seconds: (perfStats.end - perfStats.start) / 1000,
      })),
    };
    writeFileSync(join(process.env.TEST_REPORTS_FOLDER, `${process.pid}.json`), JSON.stringify(report));
  }
}
