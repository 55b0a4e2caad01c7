import { closeSync, openSync, readSync } from 'node:fs';
import type { IsolatedPrograms, LaunchedProgram } from '../../ocr/program-launcher.js';
import { filterArchitecture, sandboxFilter } from '../seccomp/filter.js';
import { bubblewrapArgs } from './bubblewrap.js';
import { openWith } from './filter-file.js';
import { LIBRARY_FOLDERS, libraryFolders, programPaths, readablePath } from './readable-paths.js';
import type { ProgramIsolation } from './sandbox-backend.js';
import { setprivArgs, WITHOUT_OPENSSL_SETTINGS } from './setpriv.js';

/** Where programs that are not from a package of the system keep their libraries, and where tesseract keeps its data. */
const MORE_FOLDERS = ['/usr/local/lib', '/usr/share/tesseract-ocr', '/usr/share/tessdata', '/usr/local/share/tessdata'];
/** The first descriptor after standard input, output and error. */
const FILTER_DESCRIPTOR = 3;
const ELF = Buffer.from('\x7fELF', 'latin1');

/**
 * Starts a program that reads pictures where it can read nothing else but libraries and these folders. A script needs a shell
 * and whatever it calls, so it is not started.
 */
export function isolatedPrograms({ kind, tool, asUser, isRequired }: ProgramIsolation): IsolatedPrograms {
  const architecture = filterArchitecture(process.arch);
  const filter = architecture === undefined ? undefined : sandboxFilter(architecture);
  const launch: IsolatedPrograms['launch'] = (program, args, folders): LaunchedProgram | undefined => {
    if (!isBinary(program)) return undefined;
    const readable = [program, ...MORE_FOLDERS, ...libraryFolders(), ...folders].flatMap(
      (path) => readablePath(path) ?? [],
    );
    const descriptors = filter === undefined ? [] : [openWith(filter)];
    if (kind === 'bubblewrap') {
      const seccomp = filter === undefined ? [] : ['--seccomp', String(FILTER_DESCRIPTOR)];
      return {
        file: tool,
        args: [...bubblewrapArgs(asUser, readable), ...seccomp, '--', program, ...args],
        descriptors,
      };
    }
    const libraries = LIBRARY_FOLDERS.flatMap((path) => readablePath(path) ?? []);
    const sources = [...new Set([...libraries, ...readable].map(({ source }) => source))];
    const seccomp = ['--seccomp-filter', `/proc/self/fd/${FILTER_DESCRIPTOR}`];
    return { file: tool, args: [...setprivArgs(sources), ...seccomp, '--', program, ...args], descriptors };
  };
  const launchNode: IsolatedPrograms['launchNode'] = (module, args, folders) => {
    const own = programPaths(module).map(({ path }) => path);
    return launch(process.execPath, [...WITHOUT_OPENSSL_SETTINGS, ...args], [...own, ...folders]);
  };
  return { launch, launchNode, isRequired };
}

function isBinary(path: string): boolean {
  const head = Buffer.alloc(ELF.length);
  const file = openSync(path, 'r');
  try {
    return readSync(file, head) === head.length && head.equals(ELF);
  } finally {
    closeSync(file);
  }
}
