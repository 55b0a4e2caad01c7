import { grouped } from '../base/grouped.js';
import type { JobRunSummary } from '../app/job.js';
import { counted } from './report-lines.js';
import type { StopSignal } from './signals.js';

/**
 * Said at once when a signal comes: what is still being done, and how not to wait for it.
 * @param documents in hand; undefined while the job is being started
 */
export function stoppingLine(documents: number | undefined, by: StopSignal | undefined): string {
  const way = by === 'SIGINT' ? 'CTRL+C again ends now' : 'a second signal ends now';
  return `Stopping: ${workOf(documents)}; ${way}.`;
}

function workOf(documents: number | undefined): string {
  if (documents === undefined) return 'the job was still being started';
  if (documents === 0) return 'no document is being processed';
  return `${counted(documents, 'document')} ${documents === 1 ? 'is' : 'are'} being finished`;
}

/** The last line of a run that a signal has ended. */
export function stoppedLine(summary: JobRunSummary | undefined): string {
  if (summary === undefined) return 'Stopped.';
  const { run, isUnfinished, hasBegun } = summary;
  if (!hasBegun && !isUnfinished) return 'Stopped before a scan began. The next start begins one.';
  const { indexed = 0, deleted = 0 } = run ?? {};
  const removed = deleted === 0 ? '' : ` and removed ${grouped(deleted)}`;
  const done = `This run indexed ${counted(indexed, 'document')}${removed}`;
  if (!isUnfinished) return `Stopped. ${done}. Its last scan was complete: nothing is pending.`;
  return `Stopped. ${done}; ${pendingOf(summary)} pending. The next start resumes.`;
}

/** Files where they have been counted, or else folders. */
function pendingOf({ run, hasSeen, pendingFolders }: JobRunSummary): string {
  const files = run?.total === undefined ? 0 : run.total - run.settled;
  if (files > 0) return `${counted(files, 'file')} ${files === 1 ? 'is' : 'are'}`;
  if (pendingFolders === 0) return hasSeen ? 'removals are' : 'the scan is';
  return `${counted(pendingFolders, 'folder')} ${pendingFolders === 1 ? 'is' : 'are'}`;
}
