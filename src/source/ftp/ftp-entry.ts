import type { EntryKind } from '../../model/entry.js';

/** One line of a folder listing. */
export interface FtpEntry {
  /** The bytes of the name, one character each. */
  readonly name: string;
  readonly kind: EntryKind;
  /** Bytes; -1 when the server does not say. */
  readonly size: number;
  readonly modifiedMs: number | undefined;
  /** The date as it is written, where it has no form that is known. */
  readonly unknownDate: string | undefined;
  /** The date ends with the minute: what happens within one cannot be told apart. */
  readonly minutePrecise: boolean;
  readonly owner: string | undefined;
  readonly group: string | undefined;
  /** Octal digits read as decimal. */
  readonly permissions: number | undefined;
}

/** With the name as text. */
export interface NamedEntry extends FtpEntry {
  readonly shownName: string;
}

/** What a line turned out to be. `unknown` makes a listing useless: a line that is not understood may be a file. */
export type ParsedLine =
  | { readonly kind: 'entry'; readonly entry: FtpEntry }
  /** The folder itself (`.`). */
  | { readonly kind: 'self' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unknown' };

export const SELF: ParsedLine = { kind: 'self' };
export const NOTHING: ParsedLine = { kind: 'nothing' };
export const UNKNOWN: ParsedLine = { kind: 'unknown' };
