import { setImmediate as nextTurn } from 'node:timers/promises';
import { throwIfCancelled } from '../../base/errors.js';
import { baseName } from '../../base/path.js';
import { failures, type Failure } from './failures.js';
import type { JobContext } from '../job/job-context.js';
import { readCatalog } from '../job/read-catalog.js';

/** What the catalog says of files and folders that are not in the index, or not with all of their text. */
export type NamedFailure = Pick<Failure, 'path' | 'standing' | 'reason' | 'message'>;

/**
 * Those whose name holds these letters, in the order of the catalog. Empty before the first run.
 * @param most where the search ends
 */
export async function failuresNamed(
  { jobDirectory, signal }: Pick<JobContext, 'jobDirectory' | 'signal'>,
  name: string,
  most: number,
): Promise<readonly NamedFailure[]> {
  const catalog = readCatalog(jobDirectory);
  if (catalog === undefined) return [];
  const letters = name.toLowerCase();
  const found: NamedFailure[] = [];
  try {
    for (const page of failures(catalog, { reason: undefined, all: true })) {
      found.push(...page.filter(({ path }) => baseName(path).toLowerCase().includes(letters)));
      if (found.length >= most) break;
      await nextTurn();
      throwIfCancelled(signal);
    }
    return found.slice(0, most);
  } finally {
    catalog.close();
  }
}
