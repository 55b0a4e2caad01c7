import { spawnSync } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { messageOf } from '../../../base/errors.js';
import { filterArchitecture, sandboxFilter } from '../seccomp/filter.js';
import { openWith } from './filter-file.js';
import { nodeFlags } from './node-flags.js';
import { filterFault } from './process-status.js';
import { LIBRARY_FOLDERS, libraryFolders, readablePath, programPaths } from './readable-paths.js';
import type { Command, Inspection, IsolatedCommand, ProgramIsolation, SandboxBackend } from './sandbox-backend.js';

/** OpenSSL of Node ends the process when it may not read its settings. */
export const WITHOUT_OPENSSL_SETTINGS = ['--openssl-shared-config', '--openssl-config=/dev/null'];
/** `/proc/self` is the process itself: setpriv becomes it. It tells how much memory is used. */
const SYSTEM_FILES = ['/etc/ld.so.cache', '/dev/null', '/dev/urandom', '/proc/self'];

/** setpriv of util-linux 2.41 and newer knows Landlock and system call filters. */
export function isCapable(setpriv: string): boolean {
  const { stdout } = spawnSync(setpriv, ['--help'], { encoding: 'utf8', timeout: 5_000 });
  return stdout.includes('--landlock-access') && stdout.includes('--seccomp-filter');
}

/**
 * setpriv: Landlock for files and a system call filter for everything else, where namespaces are not available. Names and sizes
 * of other files can be found out.
 */
export class Setpriv implements SandboxBackend {
  readonly name = 'setpriv';
  readonly tool: string;
  readonly startFlags = WITHOUT_OPENSSL_SETTINGS;
  readonly permissions: readonly string[];
  readonly programs: ProgramIsolation;
  readonly #args: readonly string[];
  readonly #filter: Buffer;

  /** @throws Error where there is no filter for the processor */
  constructor(program: string, module: string, isRequired = false) {
    const architecture = filterArchitecture(process.arch);
    if (architecture === undefined) throw new Error(`there is no system call filter for ${process.arch}`);
    const paths = programPaths(module);
    const libraries = [...LIBRARY_FOLDERS, ...libraryFolders()].flatMap((folder) => readablePath(folder) ?? []);
    const readable = [...new Set([...libraries, ...paths].map(({ source }) => source))];
    this.tool = program;
    this.#filter = sandboxFilter(architecture);
    this.permissions = nodeFlags(paths);
    this.programs = { kind: 'setpriv', tool: program, asUser: false, isRequired };
    this.#args = setprivArgs([realpathSync(process.execPath), ...readable]);
  }

  wrap({ file, args }: Command, firstDescriptor: number): IsolatedCommand {
    return {
      file: this.tool,
      args: [...this.#args, '--seccomp-filter', `/proc/self/fd/${firstDescriptor}`, '--', file, ...args],
      descriptors: [openWith(this.#filter)],
    };
  }

  inspect(pid: number): Inspection {
    try {
      return { pid, fault: filterFault(pid, true) };
    } catch (error) {
      return { pid, fault: `its state cannot be read: ${messageOf(error)}` };
    }
  }
}

/** No rights but to read these files and folders. */
export function setprivArgs(readable: readonly string[]): readonly string[] {
  const isRoot = process.geteuid?.() === 0;
  return [
    ...['--no-new-privs', '--pdeathsig', 'KILL'],
    ...(isRoot ? ['--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all'] : []),
    ...['--landlock-access', 'fs'],
    ...[...readable, ...SYSTEM_FILES].flatMap(rule),
  ];
}

function rule(path: string): readonly string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  const rights = stat.isDirectory() ? 'read-file,read-dir,execute' : stat.isFile() ? 'read-file,execute' : 'read-file';
  return ['--landlock-rule', `path-beneath:${rights}:${path}`];
}
