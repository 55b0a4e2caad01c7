/**
 * Dates as they stand in mail, from RFC 5322 (`Mon, 1 Jun 2009 09:56:31 +0530 (IST)`) to what senders make of it
 * (`Fri Mar 10 2006 13:40:00 GMT+0100`, `1-Jun-09 9:56 PM`, `Mon Jun  1 04:28:28 2009`, ISO 8601). A date without a time is
 * noon UTC, so that it keeps its day in most time zones; a time without a zone is UTC. Not Date.parse: what it takes beyond
 * ISO 8601 depends on the time zone of the machine.
 */
export function parseMailDate(text: string): Date | undefined {
  const clean = text
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const day = findDay(clean);
  if (day === undefined) return undefined;
  const time = /(?<!\d)(\d{1,2})[:.](\d{2})(?!\d)(?:[:.](\d{2}))?(?:\.\d+)?\s*([ap]m\b)?/i.exec(clean);
  if (time === null) return validDate(day, 12, 0, 0, 0);
  const [found, hour = '', minute = '', second = '0', half = ''] = time;
  const hour24 = half === '' ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  return validDate(day, hour24, Number(minute), Number(second), zoneMinutes(clean.slice(time.index + found.length)));
}

interface Day {
  readonly year: number;
  /** 0 to 11. */
  readonly month: number;
  readonly day: number;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const ISO = /\b(\d{4})-(\d{2})-(\d{2})(?!\d)/;
const DAY_MONTH = /\b(\d{1,2})[ -]([a-z]{3})[a-z]*\.?,?[ -](\d{4}|\d{2})\b/i;
const MONTH_DAY = /\b([a-z]{3})[a-z]*\.? (\d{1,2}),?(?: (\d{4})\b)?/i;

function findDay(text: string): Day | undefined {
  const iso = ISO.exec(text);
  if (iso !== null) return { year: Number(iso[1]), month: Number(iso[2]) - 1, day: Number(iso[3]) };
  const dayMonth = DAY_MONTH.exec(text);
  if (dayMonth !== null) return toDay(dayMonth[3], dayMonth[2], dayMonth[1]);
  // `Mon Jun  1 04:28:28 2009`: the first word that is followed by a number is the month, the year may come last.
  const monthDay = MONTH_DAY.exec(text);
  if (monthDay === null) return undefined;
  return toDay(monthDay[3] ?? /\b(\d{4})$/.exec(text)?.[1], monthDay[1], monthDay[2]);
}

function toDay(year: string | undefined, month: string | undefined, day: string | undefined): Day | undefined {
  const monthIndex = MONTHS.indexOf((month ?? '').toLowerCase());
  if (year === undefined || monthIndex === -1) return undefined;
  const number = Number(year);
  return {
    year: year.length === 4 ? number : number + (number < 70 ? 2000 : 1900),
    month: monthIndex,
    day: Number(day),
  };
}

const NAMED_ZONES: Readonly<Record<string, number>> = {
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  BST: 1,
  CET: 1,
  CEST: 2,
  MEZ: 1,
  MESZ: 2,
  EET: 2,
  EEST: 3,
  JST: 9,
};

/** Minutes east of Greenwich. */
function zoneMinutes(rest: string): number {
  const offset = /^ ?(?:GMT|UTC|UT|Z)? ?([+-]) ?(\d{1,2}):?(\d{2})?\b/i.exec(rest);
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0);
    return offset[1] === '-' ? -minutes : minutes;
  }
  const name = /^ ?([A-Z]{3,4})\b/.exec(rest)?.[1] ?? '';
  return (NAMED_ZONES[name] ?? 0) * 60;
}

function validDate(day: Day, hour: number, minute: number, second: number, zone: number): Date | undefined {
  if (day.month > 11 || day.day < 1 || day.day > 31 || hour > 24 || minute > 59) return undefined;
  const date = new Date(Date.UTC(day.year, day.month, day.day, hour, minute - zone, second));
  return Number.isNaN(date.getTime()) ? undefined : date;
}
