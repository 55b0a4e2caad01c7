import { CrawlerError } from '../../base/errors.js';
import { compilePattern, firstMatch, isRegexPattern, type PathPattern } from '../../base/glob.js';
import { loadLinearEngine } from '../../base/pattern/linear-engine.js';
import type { Entry } from '../../model/entry.js';
import type { Reason } from '../../model/reason.js';
import { isMetadataFile } from './folder-marks.js';

/** Which entries of a tree belong into the index. Pure: the result depends on the entry and the rules alone. */
export interface SelectionRules {
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
  readonly ignoreAboveBytes: number | undefined;
  /** Name of the folder's metadata file, empty when the feature is off. */
  readonly metaFilename: string;
}

export type SelectionResult =
  | { readonly selected: true }
  | {
      readonly selected: false;
      readonly reason: Reason;
      /** The rule that decided, as it is written. */ readonly rule: string;
    };

const SELECTED: SelectionResult = { selected: true };

/** To be awaited before a Selection of these rules is made: regular expressions need their engine. */
export async function loadPatternEngine(rules: Pick<SelectionRules, 'includes' | 'excludes'>): Promise<void> {
  if ([...rules.includes, ...rules.excludes].some(isRegexPattern)) await loadLinearEngine();
}

/** A pattern took too long on the path: nobody knows whether it belongs into the index, and nothing of it is changed. */
export function isUndecided(result: SelectionResult): result is SelectionResult & { selected: false } {
  return !result.selected && result.reason === 'timed_out';
}

export class Selection {
  readonly #includes: readonly PathPattern[];
  readonly #excludes: readonly PathPattern[];
  readonly #ignoreAboveBytes: number | undefined;
  readonly #metaFilename: string;
  /** Changes when a rule does. */
  readonly fingerprint: string;

  constructor(rules: SelectionRules) {
    this.#includes = rules.includes.map(compilePattern);
    this.#excludes = rules.excludes.map(compilePattern);
    this.#ignoreAboveBytes = rules.ignoreAboveBytes;
    this.#metaFilename = rules.metaFilename;
    this.fingerprint = JSON.stringify([rules.includes, rules.excludes, rules.ignoreAboveBytes, rules.metaFilename]);
  }

  isMetadataFile(name: string): boolean {
    return isMetadataFile(name, this.#metaFilename);
  }

  /** Whether an exclude takes the folder out, with everything below it. */
  prunes(virtualPath: string): boolean {
    return !inTime(() => this.#judgeFolder(virtualPath)).selected;
  }

  judge(entry: Entry, virtualPath: string): SelectionResult {
    switch (entry.kind) {
      case 'symlink':
        return { selected: false, reason: 'symlink', rule: 'fs.follow_symlinks' };
      case 'loop':
        return { selected: false, reason: 'symlink_loop', rule: 'fs.follow_symlinks' };
      case 'dangling':
        return { selected: false, reason: 'symlink_dangling', rule: '' };
      case 'circular':
        return { selected: false, reason: 'symlink_circular', rule: '' };
      case 'unreachable':
        return { selected: false, reason: 'unreadable', rule: '' };
      case 'special':
        return { selected: false, reason: 'special', rule: '' };
      case 'folder':
        return inTime(() => this.#judgeFolder(virtualPath));
      case 'file':
        return inTime(() => this.#judgeFile(entry, virtualPath));
    }
  }

  /** Includes never prune a folder. */
  #judgeFolder(virtualPath: string): SelectionResult {
    const exclude = firstMatch(this.#excludes, virtualPath, true);
    return exclude === undefined ? SELECTED : excluded(`fs.excludes ${exclude.text}`);
  }

  #judgeFile(entry: Entry, virtualPath: string): SelectionResult {
    if (this.isMetadataFile(entry.name))
      return { selected: false, reason: 'metadata_file', rule: 'tags.meta_filename' };
    const exclude = firstMatch(this.#excludes, virtualPath, false);
    if (exclude !== undefined) return excluded(`fs.excludes ${exclude.text}`);
    if (this.#includes.length > 0 && firstMatch(this.#includes, virtualPath, false) === undefined) {
      return excluded('fs.includes');
    }
    if (this.#ignoreAboveBytes !== undefined && entry.size > this.#ignoreAboveBytes) {
      return { selected: false, reason: 'too_large', rule: 'fs.ignore_above' };
    }
    return SELECTED;
  }
}

function inTime(judge: () => SelectionResult): SelectionResult {
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof CrawlerError) || error.code !== 'timed_out') throw error;
    return { selected: false, reason: 'timed_out', rule: error.message };
  }
}

function excluded(rule: string): SelectionResult {
  return { selected: false, reason: 'excluded', rule };
}
