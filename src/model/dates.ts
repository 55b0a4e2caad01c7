/**
 * The two date forms of the wire: the fields that the specification names (`file.indexing_date`, `scan_start_time`,
 * `scan_end_time`, `next_check`) are local date-times without a zone, every other date is UTC with `Z`; both in milliseconds.
 */
export function toLocalDateTime(epochMs: number): string {
  const offsetMs = new Date(epochMs).getTimezoneOffset() * 60_000;
  return new Date(epochMs - offsetMs).toISOString().slice(0, -1);
}

export function toUtcInstant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
