import { describe, expect, test } from '@jest/globals';
import type { JobRunSummary } from '../../../src/app/job.js';
import { stoppedLine, stoppingLine } from '../../../src/cli/stop-lines.js';

describe('the line that a signal brings at once', () => {
  test.each([
    [2, 'SIGINT', 'Stopping: 2 documents are being finished; CTRL+C again ends now.'],
    [1, 'SIGTERM', 'Stopping: 1 document is being finished; a second signal ends now.'],
    [0, 'SIGHUP', 'Stopping: no document is being processed; a second signal ends now.'],
    [undefined, 'SIGINT', 'Stopping: the job was still being started; CTRL+C again ends now.'],
  ] as const)('with %s documents in hand, after %s', (documents, by, expected) => {
    expect(stoppingLine(documents, by)).toBe(expected);
  });
});

describe('the last line', () => {
  const run = { indexed: 412, deleted: 0, failed: 0, settled: 415, total: 4000, isResumed: false };
  const unfinished: JobRunSummary = {
    hasBegun: true,
    hasSeen: true,
    isUnfinished: true,
    pendingFolders: 31,
    lastError: undefined,
    run,
  };

  test.each<[string, JobRunSummary | undefined, string]>([
    ['in the middle', unfinished, 'This run indexed 412 documents; 3,585 files are pending. The next start resumes.'],
    [
      'before the files were counted',
      { ...unfinished, run: { ...run, total: undefined, deleted: 3 } },
      'This run indexed 412 documents and removed 3; 31 folders are pending. The next start resumes.',
    ],
    [
      'with removals left',
      { ...unfinished, pendingFolders: 0, run: { ...run, settled: 4000 } },
      'This run indexed 412 documents; removals are pending. The next start resumes.',
    ],
    [
      'before anything was listed',
      { ...unfinished, hasSeen: false, pendingFolders: 0, run: undefined },
      'This run indexed 0 documents; the scan is pending. The next start resumes.',
    ],
    [
      'between two runs',
      { ...unfinished, isUnfinished: false },
      'This run indexed 412 documents. Its last scan was complete: nothing is pending.',
    ],
  ])('%s', (_, standing, expected) => {
    expect(stoppedLine(standing)).toBe(`Stopped. ${expected}`);
  });

  test('before a scan, and before the job was started', () => {
    const fresh = { ...unfinished, hasBegun: false, isUnfinished: false, run: undefined };
    expect(stoppedLine(fresh)).toBe('Stopped before a scan began. The next start begins one.');
    expect(stoppedLine(undefined)).toBe('Stopped.');
  });
});
