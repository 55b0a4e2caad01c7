import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { messageOf } from '../../../base/errors.js';
import { filterArchitecture, sandboxFilter } from '../seccomp/filter.js';
import { openWith } from './filter-file.js';
import { nodeFlags } from './node-flags.js';
import { filterFault, namespaceFault } from './process-status.js';
import { LIBRARY_FOLDERS, libraryFolders, programPaths, readablePath, type ReadablePath } from './readable-paths.js';
import type { Command, Inspection, IsolatedCommand, ProgramIsolation, SandboxBackend } from './sandbox-backend.js';

const LIBRARY_CACHE = '/etc/ld.so.cache';
const DEVICES = ['/dev/null', '/dev/urandom'];

export interface BubblewrapOptions {
  readonly program: string;
  /** The sandbox program. */
  readonly module: string;
  /** Without rights of root that is the only way; with them, files of other users cannot be shown in it. */
  readonly asUser: boolean;
  /** As in `ProgramIsolation`. */
  readonly isRequired?: boolean;
}

/** bubblewrap: namespaces of its own with nothing in them but Node, libraries and this program, and a system call filter. */
export class Bubblewrap implements SandboxBackend {
  readonly name = 'bubblewrap';
  readonly tool: string;
  readonly startFlags = [];
  readonly permissions: readonly string[];
  readonly programs: ProgramIsolation;
  readonly #args: readonly string[];
  readonly #filter: Buffer | undefined;

  constructor({ program, module, asUser, isRequired = false }: BubblewrapOptions) {
    const architecture = filterArchitecture(process.arch);
    const paths = programPaths(module);
    this.tool = program;
    this.#filter = architecture === undefined ? undefined : sandboxFilter(architecture);
    this.permissions = nodeFlags(paths);
    const node = { source: realpathSync(process.execPath), path: process.execPath };
    const libraries = libraryFolders().map((folder) => ({ source: folder, path: folder }));
    this.programs = { kind: 'bubblewrap', tool: program, asUser, isRequired };
    this.#args = bubblewrapArgs(asUser, [...libraries, node, ...paths]);
  }

  wrap({ file, args }: Command, firstDescriptor: number): IsolatedCommand {
    const filter = this.#filter === undefined ? [] : ['--seccomp', String(firstDescriptor + 1)];
    return {
      file: this.tool,
      args: [...this.#args, '--info-fd', String(firstDescriptor), ...filter, '--', file, ...args],
      descriptors: this.#filter === undefined ? ['pipe'] : ['pipe', openWith(this.#filter)],
    };
  }

  inspect(pid: number, report: string): Inspection {
    const child = Number(/"child-pid": (\d+)/.exec(report)?.[1]);
    if (!Number.isInteger(child)) return { pid, fault: 'bubblewrap did not report a process' };
    try {
      return { pid: child, fault: filterFault(child, this.#filter !== undefined) ?? namespaceFault(child) };
    } catch (error) {
      return { pid: child, fault: `its state cannot be read: ${messageOf(error)}` };
    }
  }
}

/** Namespaces in which there is nothing but the libraries of the system and these paths. */
export function bubblewrapArgs(asUser: boolean, paths: readonly ReadablePath[]): readonly string[] {
  return [
    ...(asUser ? ['--unshare-user'] : []),
    ...['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--die-with-parent', '--as-pid-1', '--cap-drop', 'ALL'],
    ...LIBRARY_FOLDERS.flatMap(shown),
    ...['--ro-bind-try', LIBRARY_CACHE, LIBRARY_CACHE],
    ...paths.flatMap(({ source, path }) => ['--ro-bind', source, path]),
    ...['--proc', '/proc', ...DEVICES.flatMap((device) => ['--dev-bind', device, device])],
    ...['--remount-ro', '/', '--chdir', '/'],
  ];
}

/** A folder of the system as it is there: a link to another folder, as `/lib` often is, or a folder. */
function shown(path: string): readonly string[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (stat.isSymbolicLink()) return ['--symlink', readlinkSync(path), path];
  const folder = readablePath(path);
  return folder === undefined ? [] : ['--ro-bind', folder.source, path];
}
