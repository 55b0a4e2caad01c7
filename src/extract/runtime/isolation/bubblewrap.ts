import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { messageOf } from '../../../base/errors.js';
import { filterArchitecture, sandboxFilter } from '../seccomp/filter.js';
import { openWith } from './filter-file.js';
import { nodeFlags } from './node-flags.js';
import { filterFault, namespaceFault } from './process-status.js';
import { LIBRARY_FOLDERS, libraryFolders, placeAt, programPlaces } from './readable-places.js';
import type { Command, Inspection, IsolatedCommand, SandboxBackend } from './sandbox-backend.js';

const LIBRARY_CACHE = '/etc/ld.so.cache';
const DEVICES = ['/dev/null', '/dev/urandom'];

export interface BubblewrapOptions {
  readonly program: string;
  /** The sandbox program. */
  readonly module: string;
  /** Without rights of root that is the only way; with them, files of other users cannot be shown in it. */
  readonly asUser: boolean;
}

/** bubblewrap: namespaces of its own with nothing in them but Node, libraries and this program, and a system call filter. */
export class Bubblewrap implements SandboxBackend {
  readonly name = 'bubblewrap';
  readonly tool: string;
  readonly startFlags = [];
  readonly permissions: readonly string[];
  readonly #args: readonly string[];
  readonly #filter: Buffer | undefined;

  constructor({ program, module, asUser }: BubblewrapOptions) {
    const architecture = filterArchitecture(process.arch);
    const places = programPlaces(module);
    const node = realpathSync(process.execPath);
    this.tool = program;
    this.#filter = architecture === undefined ? undefined : sandboxFilter(architecture);
    this.permissions = nodeFlags(places);
    this.#args = [
      ...(asUser ? ['--unshare-user'] : []),
      ...['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
      ...['--die-with-parent', '--as-pid-1', '--cap-drop', 'ALL'],
      ...LIBRARY_FOLDERS.flatMap(shown),
      ...libraryFolders().flatMap((folder) => ['--ro-bind', folder, folder]),
      ...['--ro-bind-try', LIBRARY_CACHE, LIBRARY_CACHE, '--ro-bind', node, process.execPath],
      ...places.flatMap(({ source, path }) => ['--ro-bind', source, path]),
      ...['--proc', '/proc', ...DEVICES.flatMap((device) => ['--dev-bind', device, device])],
      ...['--remount-ro', '/', '--chdir', '/'],
    ];
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

/** A folder of the system as it is there: a link to another folder, as `/lib` often is, or a folder. */
function shown(path: string): readonly string[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (stat.isSymbolicLink()) return ['--symlink', readlinkSync(path), path];
  const place = placeAt(path);
  return place === undefined ? [] : ['--ro-bind', place.source, path];
}
