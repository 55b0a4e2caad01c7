import { platform } from 'node:process';
import { printable } from './printable.js';

/** To a shell, `\x86` is a byte, which is no character in UTF-8. */
const C1_CONTROL = /[\u0080-\u009f]/g;

/**
 * A word as it can be pasted into a shell: as it is where nothing in it means anything to a shell, otherwise in quotes. What
 * cannot be printed stands as an escape in the `$'…'` that bash, zsh and others read.
 */
export function shellQuoted(word: string): string {
  if (/^(?![~=])[\p{L}\p{M}\p{N}_@%+=:,./-]+$/u.test(word)) return word;
  if (platform === 'win32') return `"${printable(word)}"`;
  if (printable(word) === word) return `'${word.replaceAll("'", "'\\''")}'`;
  return `$'${printable(word.replace(/[\\']/g, '\\$&').replace(C1_CONTROL, unicodeEscape))}'`;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
