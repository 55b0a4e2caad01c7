/**
 * The dates of LIST, which were made for people: `Nov 21 08:51` (of the last months), `Nov 21 2023`, `21 Nov 2023`,
 * `2023-11-21 08:51`, and on DOS `11-21-23  08:51AM` or `11-21-2023  08:51`. The zone is not given. They are taken as UTC,
 * which is what the common servers write; a wrong zone moves the shown time, never the comparison with an earlier listing.
 */
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY_MS = 86_400_000;

export interface ListDate {
  readonly epochMs: number;
  readonly minutePrecise: boolean;
}

/** Undefined for a form that is not known. */
export function parseUnixDate(text: string, nowMs: number): ListDate | undefined {
  return parseNumericDate(text) ?? parseNamedDate(text, nowMs);
}

function parseNumericDate(text: string): ListDate | undefined {
  const iso = /^(\d{4})-(\d\d)-(\d\d) +(\d\d):(\d\d)(?::(\d\d))?$/.exec(text);
  if (iso === null) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0] = iso.slice(1, 6).map(Number);
  const epochMs = Date.UTC(year, month - 1, day, hour, minute, Number(iso[6] ?? 0));
  return { epochMs, minutePrecise: iso[6] === undefined };
}

function parseNamedDate(text: string, nowMs: number): ListDate | undefined {
  const [, first = '', second = '', last = ''] = /^(\S+) +(\S+) +(\S+)$/.exec(text) ?? [];
  const [month, day] = /^\d/.test(first) ? [monthOf(second), Number(first)] : [monthOf(first), Number(second)];
  if (month === undefined || !(day >= 1 && day <= 31)) return undefined;
  if (/^\d{4}$/.test(last)) return { epochMs: Date.UTC(Number(last), month, day), minutePrecise: false };
  const [, hour, minute] = /^(\d{1,2}):(\d\d)$/.exec(last) ?? [];
  if (hour === undefined) return undefined;
  return { epochMs: withinLastYear(month, day, Number(hour), Number(minute), nowMs), minutePrecise: true };
}

/** `month-day-year`, the year with two digits or four. */
export function parseDosDate(text: string): ListDate | undefined {
  const [, month, day, year, hour, minute, half] =
    /^(\d\d)[-/](\d\d)[-/](\d{2}|\d{4}) +(\d\d):(\d\d) ?([AP]M)?$/i.exec(text) ?? [];
  if (month === undefined || year === undefined) return undefined;
  const fullYear = year.length === 4 ? Number(year) : Number(year) + (Number(year) < 70 ? 2000 : 1900);
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  return { epochMs: Date.UTC(fullYear, Number(month) - 1, Number(day), hours, Number(minute)), minutePrecise: true };
}

function monthOf(name: string): number | undefined {
  const at = MONTHS.indexOf(name.slice(0, 3).toLowerCase());
  return at < 0 ? undefined : at;
}

/** A date without a year is the last one that is not in the future; a day is left for zones and clocks. */
function withinLastYear(month: number, day: number, hour: number, minute: number, nowMs: number): number {
  const year = new Date(nowMs).getUTCFullYear();
  for (const each of [year + 1, year]) {
    const epochMs = Date.UTC(each, month, day, hour, minute);
    if (epochMs <= nowMs + DAY_MS) return epochMs;
  }
  return Date.UTC(year - 1, month, day, hour, minute);
}
