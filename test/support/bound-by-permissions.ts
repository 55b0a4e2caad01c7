import { spawnSync, type SpawnOptions } from 'node:child_process';
import { chownSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { PROGRAM } from './crawler-process.js';

/** How a program is started so that the permissions of files bind it, also when the tests run as root. */
export interface BoundStart {
  /** A command that runs the program as its arguments. */
  readonly prefix: readonly string[];
  readonly options: SpawnOptions;
}

const WITHOUT_RIGHTS = ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all'];

/**
 * The project may lie in a private folder, so not every user can run the program: root without the right to pass over
 * permissions, or else the owner of a folder on the way to it. The paths in `owned` are given to whoever it is.
 */
export function boundByPermissions(owned: readonly string[]): BoundStart {
  if (process.getuid?.() !== 0) return { prefix: [], options: {} };
  const owners = foldersAbove(PROGRAM)
    .map((folder) => statSync(folder))
    .filter(({ uid }) => uid !== 0);
  const starts: readonly BoundStart[] = [
    { prefix: WITHOUT_RIGHTS, options: {} },
    ...owners.map(({ uid, gid }) => ({ prefix: [], options: { uid, gid } })),
  ];
  const start = starts.find(canRun);
  if (start === undefined) throw new Error(`Nobody without root's rights may run [${PROGRAM}].`);
  const { uid, gid } = start.options;
  if (uid !== undefined && gid !== undefined) for (const path of owned) chownSync(path, uid, gid);
  return start;
}

function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...foldersAbove(above)];
}

function canRun({ prefix, options }: BoundStart): boolean {
  const [command, ...args] = [...prefix, process.execPath, PROGRAM, '--version'];
  const { uid, gid } = options;
  return spawnSync(command, args, { uid, gid, stdio: 'ignore' }).status === 0;
}
