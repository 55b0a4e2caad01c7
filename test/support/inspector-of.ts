import { setTimeout as delay } from 'node:timers/promises';
import { silentLogger } from '../../src/base/logger.js';
import type { BackgroundCheck } from '../../src/operations/inspector/background-check.js';
import { ThreadInspector } from '../../src/operations/inspector/thread-inspector.js';
import { settingRows } from '../../src/settings/setting-table.js';
import type { InspectedTree } from './inspected-tree.js';

/** The thread that answers for a job, as the service has it. */
export function inspectorOf(tree: InspectedTree): ThreadInspector {
  const { settings, originOf } = tree.loaded();
  const origins = Object.fromEntries(settingRows.map(({ path }) => [path, originOf(path)]));
  return new ThreadInspector({ settings, jobDirectory: tree.jobDirectory, origins }, silentLogger);
}

/** Resolves when what was started has come to its end. */
export async function ended(check: BackgroundCheck<unknown>): Promise<void> {
  while (check.running !== undefined) await delay(10);
}
