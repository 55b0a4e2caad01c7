import type { ThreadInspector } from '../../operations/inspector/thread-inspector.js';
import { RequestFault } from '../request-fault.js';
import type { RestContext } from '../rest-options.js';

/** Throws 404 for a job that has nothing to inspect. */
export function openInspector({ inspector, jobName }: RestContext): Promise<ThreadInspector> {
  if (inspector !== undefined) return inspector();
  throw new RequestFault(
    404,
    `The job [${jobName}] has no root (fs.url): it takes documents over HTTP only, so there is no tree to inspect.`,
  );
}
