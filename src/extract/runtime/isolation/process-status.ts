import { existsSync, readFileSync, readlinkSync } from 'node:fs';

/** What the kernel says of another process. Undefined or false where it is not known. */
export function statusOf(pid: number): ReadonlyMap<string, string> {
  const lines = readFileSync(`/proc/${pid}/status`, 'latin1').matchAll(/^(\w+):\s*(.*)$/gm);
  return new Map([...lines].map(([, name = '', value = '']) => [name, value]));
}

/** A process with a system call filter that can gain no rights. */
export function filterFault(pid: number, hasFilter: boolean): string | undefined {
  const status = statusOf(pid);
  if (hasFilter && status.get('Seccomp') !== '2') return 'its system calls are not filtered';
  if (status.get('NoNewPrivs') !== '1') return 'it may gain rights';
  return Number.parseInt(status.get('CapEff') ?? 'f', 16) === 0 ? undefined : 'it has capabilities';
}

const NAMESPACES = ['mnt', 'net', 'pid', 'ipc'];

/** A process that sees other files, networks and processes than this one. */
export function namespaceFault(pid: number): string | undefined {
  const shared = NAMESPACES.find((name) => namespaceOf(pid, name) === namespaceOf('self', name));
  if (shared !== undefined) return `it shares a namespace with other processes (${shared})`;
  return existsSync(`/proc/${pid}/root/etc/passwd`) ? 'it sees the files of the system' : undefined;
}

function namespaceOf(pid: number | 'self', name: string): string {
  return readlinkSync(`/proc/${pid}/ns/${name}`);
}
