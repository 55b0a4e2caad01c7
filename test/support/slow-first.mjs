// The order of the test files: what takes minutes begins first, so that no core is idle while the last one runs. A fresh clone
// knows no times of earlier runs, by which Jest would go; the others are ordered by their size, as Jest does then.
import { statSync } from 'node:fs';

/** Those that take longest, the longest first. */
export const SLOW = [
  'full/first-hour',
  'full/stopping',
  'full/web/cluster',
  'full/engine-outage',
  'full/acceptance',
  'full/web/search-page',
  'full/web/using',
  'full/web/operator-crawl',
  'full/web/operator-page',
  'full/engine',
  'full/tika/server',
  'full/watch',
  'full/inspect/verify',
  'full/package/package',
  'full/embedded/repair',
  'full/ocr/tesseract-js',
  'full/elastic/bulk',
  'full/elastic/templates',
  'full/elastic/outage',
  'full/push',
  'full/e2e/stopping',
  'full/e2e/command-line',
  'full/sources/ftp-faults',
  'full/sources/ssh',
  'full/sources/fetch',
  'full/starting',
  'full/web/reach',
  'full/rest',
  'full/mcp/mcp-stdio',
  'full/library',
  'full/extract/passwords',
  'full/no-telemetry',
  'full/e2e/search-fields',
];

export default class SlowFirst {
  sort(tests) {
    const ranked = Array.from(tests, (test) => ({ test, place: placeOf(test.path), size: statSync(test.path).size }));
    return ranked.sort((a, b) => a.place - b.place || b.size - a.size).map(({ test }) => test);
  }

  /** Part of the interface: `jest --shard`. */
  shard(tests, { shardIndex, shardCount }) {
    return this.sort(tests).filter((_, at) => at % shardCount === shardIndex - 1);
  }

  /** Part of the interface: `jest --onlyFailures`, for which results would have to be kept. */
  allFailedTests(tests) {
    return tests;
  }

  /** Part of the interface: times of this run, which the order does not need. */
  cacheResults() {}
}

function placeOf(path) {
  const at = SLOW.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
  return at === -1 ? SLOW.length : at;
}
