/**
 * A date of the information dictionary, `D:YYYYMMDDHHmmSSOHH'mm'` with everything after the year optional. Other notations
 * that producers write are tried as a date of the platform, in UTC.
 */
export function parsePdfDate(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const match = /^\s*(?:D:)?\s*(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?\s*(.*)$/s.exec(text);
  const date = match === null ? new Date(`${text} UTC`) : fromParts(match.slice(1, 7), match[7] ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date;
}

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
