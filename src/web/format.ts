const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `1.2 MB`, in powers of ten as file managers show it. */
/** Names end with what tells them apart as often as they begin with it: the middle is left out. */
export function shortened(text: string, most: number): string {
  const signs = Array.from(text);
  if (signs.length <= most) return text;
  const tail = Math.floor(most / 3);
  return `${signs.slice(0, most - tail).join('')}…${signs.slice(-tail).join('')}`;
}

export function formatSize(bytes: number): string {
  let unit = 0;
  let value = bytes;
  for (; value >= 999.5 && unit < units.length - 1; unit += 1) value /= 1000;
  const digits = unit > 0 && value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const times = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

export function formatDate(instant: string): string {
  return format(dates, instant);
}

export function formatTime(instant: string): string {
  return format(times, instant);
}

function format(formatter: Intl.DateTimeFormat, instant: string): string {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? instant : formatter.format(date);
}
