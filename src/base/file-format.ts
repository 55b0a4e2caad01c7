import { CrawlerError } from './errors.js';
import { packageVersion } from './package-root.js';
import { Database } from './sqlite.js';

/**
 * The format of a database file is a number in its header (`user_version`). A program opens the format that it knows,
 * upgrades an older one, and refuses a newer one without touching a byte: it cannot know what it would break.
 */
export interface FileFormat {
  /** What the file is called in sentences: `index`, `catalog`. */
  readonly noun: string;
  readonly current: number;
  /** In the order of `to`; the first format has none. */
  readonly upgrades: readonly UpgradeStep[];
  /** The version of the program that gave the file its format; undefined when the file does not say. */
  readonly writtenBy: (database: Database) => string | undefined;
  readonly setWrittenBy: (database: Database, version: string) => void;
  /** What a person can do instead of running the newer program, such as `restore a backup`. */
  readonly wayOut: string;
}

/** What turns a file of format `to - 1` into one of format `to`. It only adds, so that a killed step leaves the old file. */
export interface UpgradeStep {
  readonly to: number;
  readonly apply: (database: Database) => void;
}

/** 0 for a file that no program has given a format. */
export function formatOf(database: Database): number {
  return Number(database.values('SELECT user_version FROM pragma_user_version')[0]);
}

/** The format of a file and the program that gave it, for reports; undefined when there is no file that could be read. */
export function describeFile(path: string, format: FileFormat): FileDescription | undefined {
  try {
    const database = new Database(path, { readOnly: true });
    try {
      return { format: formatOf(database), writtenBy: writerOf(database, format) };
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}

export interface FileDescription {
  readonly format: number;
  readonly writtenBy: string | undefined;
}

/** For a line of a report, such as `format 2 of crawler 0.4.0`. */
export function formatText({ format, writtenBy }: FileDescription): string {
  return writtenBy === undefined ? `format ${format}` : `format ${format} of crawler ${writtenBy}`;
}

/** Throws `unsupported` for a file that a newer program has written. */
export function refuseNewer(database: Database, format: FileFormat): void {
  const found = formatOf(database);
  if (found > format.current) throw newerFormat(database, format, found);
}

function newerFormat(database: Database, format: FileFormat, found: number): CrawlerError {
  const { noun, current, wayOut } = format;
  const writer = writerOf(database, format);
  const [by, run] = writer === undefined ? ['a newer crawler', 'that version'] : [`crawler ${writer}`, writer];
  const message =
    `The ${noun} [${database.path}] was written by ${by} (format ${found}); this is crawler ${packageVersion()}, ` +
    `which knows formats up to ${current}. Run ${run}, or ${wayOut}.`;
  return new CrawlerError('unsupported', message, { subject: database.path });
}

/** A newer format may keep it elsewhere. */
function writerOf(database: Database, format: FileFormat): string | undefined {
  try {
    return format.writtenBy(database);
  } catch {
    return undefined;
  }
}

/** Marks a file that has just been created as one of the current format. Within the transaction that creates it. */
export function stampFormat(database: Database, format: FileFormat): void {
  format.setWrittenBy(database, packageVersion());
  database.exec(`PRAGMA user_version=${format.current}`);
}

/**
 * Brings an older file to the current format, all steps and the number in one transaction: after a kill at any moment the
 * file is the old one or the new one. `database` must be able to write.
 */
export function upgradeFile(database: Database, format: FileFormat): void {
  database.transaction(() => {
    // Read inside: another process may have upgraded the file while this one waited for it.
    const found = formatOf(database);
    if (found >= format.current) return;
    for (const { to, apply } of format.upgrades) if (to > found) apply(database);
    stampFormat(database, format);
  });
}
