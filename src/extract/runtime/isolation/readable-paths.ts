import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entryPoint } from '../../../base/entry-points.js';
import { installedPackage, packageRoot, packageRootOf } from '../../../base/package-root.js';

/** A file or folder of this system that a sandbox process may read, and where it finds it. */
export interface ReadablePath {
  readonly source: string;
  readonly path: string;
}

/** The one package that the published program needs for documents; all others are part of it. */
const PACKAGE = '@embedpdf/pdfium';
const PROGRAM_FOLDERS = ['lib', 'dist', 'package.json'];
export const LIBRARY_FOLDERS = ['/lib', '/lib64', '/usr/lib', '/usr/lib64'];

/** The files of this program and of its packages. */
export function programPaths(module: string): readonly ReadablePath[] {
  // One and the same, but for tests: they start the processes of the package.
  const roots = new Set([packageRoot, packageRootOf(fileURLToPath(entryPoint('sandbox')))]);
  const paths = [...roots].flatMap((root) => PROGRAM_FOLDERS.map((name) => readablePath(join(root, name))));
  const isOutside = !module.startsWith(packageRoot + sep);
  const own = join(packageRoot, 'node_modules');
  const found = installedPackage(PACKAGE) ?? own;
  const packages = found.startsWith(own + sep) ? own : found;
  return [...paths, readablePath(packages), isOutside ? readablePath(dirname(module)) : undefined].filter(
    (each) => each !== undefined,
  );
}

/** Undefined when there is no such file. A link is replaced by what it leads to, at the path of the link. */
export function readablePath(path: string): ReadablePath | undefined {
  try {
    return { source: realpathSync(path), path };
  } catch {
    return undefined;
  }
}

/** Folders of libraries beside those of the system (`/lib`, `/usr/lib` and the like), as far as this process uses them. */
export function libraryFolders(): readonly string[] {
  const libraries = /^\S+ r-xp .* (\/\S*)\/[^/\s]+\.so[^/\s]*$/gm;
  const folders = new Set<string>();
  for (const [, folder = ''] of readFileSync('/proc/self/maps', 'utf8').matchAll(libraries)) {
    if (!LIBRARY_FOLDERS.some((each) => folder === each || folder.startsWith(`${each}/`))) folders.add(folder);
  }
  return [...folders];
}
