import type { NamedEntry } from './ftp-entry.js';

/**
 * Dates that end with the minute hide what happens within one: a file that is read, and changed again in the same minute
 * without growing, would look unchanged for ever. So a file whose date is only minutes old is marked, and the mark is part
 * of what is compared: the first listing after it has worn off finds a difference, and the file is read once more.
 *
 * The listing does not tell its zone. One exact date (MDTM is UTC) shows how far it is off; this decides only how long
 * the mark stays.
 */
const RECENT_MS = 5 * 60_000;
const DAY_MS = 86_400_000;
const QUARTER_MS = 15 * 60_000;

export class RecentChanges {
  #offsetMs: number | undefined;

  /**
   * Returns what holds for each entry of a listing.
   * @param exactly asks the server for the exact date of a name
   */
  async judge(
    entries: readonly NamedEntry[],
    exactly: (name: string) => Promise<number | undefined>,
  ): Promise<(entry: NamedEntry) => boolean> {
    const nowMs = Date.now();
    // In whatever zone: no other entry can be recent.
    const candidates = entries.filter(
      ({ kind, minutePrecise, modifiedMs }) =>
        kind === 'file' && minutePrecise && modifiedMs !== undefined && modifiedMs > nowMs - DAY_MS - RECENT_MS,
    );
    const [sample] = candidates;
    if (sample === undefined) return () => false;
    this.#offsetMs ??= await measure(sample, exactly);
    const since = nowMs - RECENT_MS + this.#offsetMs;
    const recent = new Set(candidates.filter(({ modifiedMs = 0 }) => modifiedMs > since));
    return (entry) => recent.has(entry);
  }
}

/** How far the times of the listing are from UTC; zones are whole quarters of an hour. */
async function measure(
  { shownName, modifiedMs }: NamedEntry,
  exactly: (name: string) => Promise<number | undefined>,
): Promise<number> {
  const exactMs = await exactly(shownName).catch(() => undefined);
  if (exactMs === undefined || modifiedMs === undefined) return 0;
  return Math.round((modifiedMs - exactMs) / QUARTER_MS) * QUARTER_MS;
}
