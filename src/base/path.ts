/**
 * Paths of sources, which may be of another platform than this one: `/tmp/es`, `C:\tmp`, `\\HOST\share`, `/D:/docs`.
 * Nothing here touches a file system.
 */
export type Separator = '/' | '\\';

/** A path of this machine as node:fs takes it: names that are no UTF-8 come as bytes. */
export function toFsPath(path: string | Uint8Array): string | Buffer {
  return typeof path === 'string' ? path : Buffer.from(path);
}

/** `/` when the path holds one, `\` for Windows forms, `/` for a bare name. */
export function separatorOf(path: string): Separator {
  if (path.includes('/')) return '/';
  return path.includes('\\') || path.includes(':') ? '\\' : '/';
}

/** The root without trailing separators, but for a bare root (`/`, `C:\`). */
export function normaliseRoot(root: string): string {
  const trimmed = root.replace(/[/\\]+$/, '');
  if (trimmed === '') return root.slice(0, 1);
  return /^[A-Za-z]:$/.test(trimmed) && trimmed.length < root.length ? root.slice(0, trimmed.length + 1) : trimmed;
}

export function joinPath(folder: string, name: string): string {
  const separator = separatorOf(folder);
  return folder.endsWith(separator) ? folder + name : folder + separator + name;
}

/** The folder above, or undefined for a path without any. `/` is its own top. */
export function parentPath(path: string): string | undefined {
  const at = path.lastIndexOf(separatorOf(path));
  if (at < 0) return undefined;
  if (at === 0) return path.length === 1 ? undefined : path.slice(0, 1);
  return path.slice(0, at);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf(separatorOf(path)) + 1);
}

/** The path below the root, with a leading separator; the root itself is just the separator. */
export function virtualPath(root: string, path: string): string {
  const separator = separatorOf(root);
  if (path === root) return separator;
  if (root === separator) return path;
  return path.startsWith(root) && path.charAt(root.length) === separator ? path.slice(root.length) : separator;
}

/** True when `path` is the folder itself or lies below it. */
export function isWithin(folder: string, path: string): boolean {
  if (path === folder) return true;
  const separator = separatorOf(folder);
  return path.startsWith(folder.endsWith(separator) ? folder : folder + separator);
}

/** What is hashed for a document id: the folder with `/`, and the name without any separator. */
export function idSource(folder: string, name: string): string {
  const base = folder.replaceAll('\\', '/');
  return (base.endsWith('/') ? base : `${base}/`) + name.replace(/[/\\]/g, '');
}

/** Text after the last dot, in lower case; undefined when there is none. */
export function extensionOf(name: string): string | undefined {
  const at = name.lastIndexOf('.');
  return at < 0 || at === name.length - 1 ? undefined : name.slice(at + 1).toLowerCase();
}
