import type { JobStanding } from '../app/job.js';
import type { Activity } from '../crawler/monitor.js';
import { counted } from './report-lines.js';
import type { StopSignal } from './signals.js';

/** Said at once when a signal comes: what is still being done, and how not to wait for it. */
export function stoppingLine(activity: Activity | undefined, by: StopSignal | undefined): string {
  const way = by === 'SIGINT' ? 'CTRL+C again ends now' : 'a second signal ends now';
  const documents = activity?.current.length ?? 0;
  const work =
    activity === undefined
      ? 'the job has not been started yet'
      : documents === 0
        ? 'no document is in hand'
        : `${counted(documents, 'document')} ${documents === 1 ? 'is' : 'are'} being finished`;
  return `Stopping: ${work}; ${way}.`;
}

/** The last line of a run that a signal has ended. */
export function stoppedLine(standing: JobStanding | undefined): string {
  if (standing === undefined) return 'Stopped.';
  const { indexed, removed, isUnfinished, pendingFolders, hasBegun } = standing;
  if (!hasBegun) return 'Stopped before a scan was begun. The next start begins with it.';
  const deletions = removed === 0 ? '' : ` and removed ${removed.toLocaleString('en')}`;
  const done = `${counted(indexed, 'document')} indexed${deletions}`;
  if (!isUnfinished) return `Stopped. The last scan was complete: ${done}; nothing is pending.`;
  return `Stopped. ${done}; ${counted(pendingFolders, 'folder')} pending. The next start resumes.`;
}
