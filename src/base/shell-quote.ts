import { platform } from 'node:process';
import { printable } from './printable.js';

/**
 * A word as it can be pasted into a shell: as it is where nothing in it means anything to a shell, otherwise in quotes. What
 * cannot be printed stands as an escape in the `$'…'` that bash, zsh and others read.
 */
export function shellQuoted(word: string): string {
  if (/^(?![~=])[\p{L}\p{M}\p{N}_@%+=:,./-]+$/u.test(word)) return word;
  if (platform === 'win32') return `"${printable(word)}"`;
  if (printable(word) === word) return `'${word.replaceAll("'", "'\\''")}'`;
  return `$'${printable(word.replace(/[\\']/g, '\\$&'))}'`;
}
