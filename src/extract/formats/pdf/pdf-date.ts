/**
 * A date of the information dictionary, `D:YYYYMMDDHHmmSSOHH'mm'` with everything after the year optional. Other notations
 * that producers write are tried as a date of the platform, in UTC.
 */
export function parsePdfDate(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const match = NOTATION.exec(text);
  const date = match === null ? new Date(`${text} UTC`) : fromParts(match.slice(1, 7), match[7] ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** The date as a clock in its zone showed it: `2021-02-20T11:32:16-0800`. */
export function zonedPdfDate(text: string | undefined): string | undefined {
  const date = parsePdfDate(text);
  if (date === undefined) return undefined;
  const minutes = zoneMinutes(NOTATION.exec(text ?? '')?.[7] ?? '');
  const clock = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, 19);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${clock}${minutes < 0 ? '-' : '+'}${String(hours * 100 + rest).padStart(4, '0')}`;
}

const NOTATION = /^\s*(?:D:)?\s*(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?\s*(.*)$/s;

function fromParts(parts: readonly (string | undefined)[], zone: string): Date {
  const defaults = [0, 1, 1, 0, 0, 0];
  const highest = [9999, 12, 31, 24, 59, 60];
  const numbers = parts.map((part, index) => (part === undefined ? (defaults[index] ?? 0) : Number(part)));
  const sound = numbers.every((value, index) => value >= (defaults[index] ?? 0) && value <= (highest[index] ?? 0));
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = numbers;
  if (!sound) return new Date(Number.NaN);
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second) - zoneMinutes(zone) * 60_000);
}

/** Minutes east of Greenwich; a missing zone is taken as UTC. */
function zoneMinutes(zone: string): number {
  const match = /^([+-])(\d{1,2})'?:?(\d{2})?/.exec(zone);
  if (match === null) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  return match[1] === '-' ? -minutes : minutes;
}
