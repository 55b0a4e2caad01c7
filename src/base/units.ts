/**
 * The three kinds of quantities that settings and requests use, as text and as numbers. Every parser throws a RangeError
 * whose message is a sentence for the person who wrote the text.
 *
 * - duration: a whole number directly followed by `ms`, `s`, `m`, `h` or `d` (`15m`); a number of milliseconds.
 * - byte size: a number and `b`, `k`/`kb`, `m`/`mb`, `g`/`gb`, `t`/`tb` or `p`/`pb`, factor 1024 (`10mb`, `1.5 gb`); a
 *   number of bytes. `0` and `-1` need no unit.
 * - share: an absolute number (`5000`) or a percentage (`80%`).
 *
 * Letters may be upper or lower case, blanks around the whole text are ignored. Durations and byte sizes are printed in
 * their largest unit with one truncated decimal (75 minutes are `1.2h`), which is meant for people: only whole multiples
 * of a unit survive being read again.
 */
type Unit = readonly [name: string, factor: number];

const DURATION_UNITS: readonly Unit[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
];

/** Of the times in requests that follow Elasticsearch: `500ms`, `1m`, `10micros`. In milliseconds. */
export const TIME_UNITS: ReadonlyMap<string, number> = new Map([...DURATION_UNITS, ['micros', 1e-3], ['nanos', 1e-6]]);

const BYTE_UNITS: readonly Unit[] = [
  ['pb', 1024 ** 5],
  ['tb', 1024 ** 4],
  ['gb', 1024 ** 3],
  ['mb', 1024 ** 2],
  ['kb', 1024],
  ['b', 1],
];

export function parseDuration(text: string): number {
  const [, digits, unit] = /^(\d+)([a-z]*)$/.exec(text.trim().toLowerCase()) ?? [];
  if (digits === undefined) throw new RangeError(`Failed to parse timevalue [${text}].`);
  const factor = factorOf(DURATION_UNITS, unit);
  if (factor === undefined) {
    throw new RangeError(`Failed to parse timevalue [${text}]: unit is missing or unrecognized`);
  }
  return countable(Number(digits) * factor, text);
}

export function printDuration(milliseconds: number): string {
  return milliseconds === 0 ? '0s' : inLargestUnit(milliseconds, DURATION_UNITS);
}

export function parseByteSize(text: string): number {
  const normalized = text.trim().toLowerCase();
  if (normalized === '0' || normalized === '-1') return Number(normalized);
  const [, number, unit] = /^([+-]?(?:\d+\.?\d*|\.\d+)) *([a-z]+)$/.exec(normalized) ?? [];
  const factor = factorOf(BYTE_UNITS, unit) ?? factorOf(BYTE_UNITS, `${unit ?? ''}b`);
  if (number === undefined || factor === undefined) {
    throw new RangeError(`failed to parse value [${text}] as a size in bytes: unit is missing or unrecognized`);
  }
  return bytesOf(Number(number), factor, text);
}

function bytesOf(value: number, factor: number, text: string): number {
  if (value < 0 && !(value === -1 && factor === 1)) {
    throw new RangeError(`Values less than -1 bytes are not supported: ${text.trim()}`);
  }
  if (factor === 1 && !Number.isInteger(value)) {
    throw new RangeError(`failed to parse value [${text}] as a size in bytes: there is no part of a byte`);
  }
  return countable(Math.trunc(value * factor), text);
}

export function printByteSize(bytes: number): string {
  if (bytes <= 0) return String(bytes);
  return inLargestUnit(bytes, BYTE_UNITS);
}

export type Share =
  { readonly kind: 'absolute'; readonly value: number } | { readonly kind: 'percent'; readonly percent: number };

export function parseShare(text: string): Share {
  const [, number, sign] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?) *(%?)$/.exec(text.trim().toLowerCase()) ?? [];
  const value = Number(number);
  if (number === undefined || !Number.isFinite(value)) {
    throw new RangeError(`Failed to parse percentage [${text}].`);
  }
  return sign === '%' ? { kind: 'percent', percent: value } : { kind: 'absolute', value };
}

/** `5000.0`, `80.0%`: always with a decimal, the form in which job files and answers hold shares. */
export function printShare(share: Share): string {
  return share.kind === 'percent' ? `${decimal(share.percent)}%` : decimal(share.value);
}

function decimal(value: number): string {
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}

function factorOf(units: readonly Unit[], name: string | undefined): number | undefined {
  return units.find(([unit]) => unit === name)?.[1];
}

function countable(value: number, text: string): number {
  if (value > Number.MAX_SAFE_INTEGER) {
    throw new RangeError(`Values greater than ${Number.MAX_SAFE_INTEGER} are not supported: ${text.trim()}`);
  }
  return value;
}

function inLargestUnit(value: number, units: readonly Unit[]): string {
  const [name, factor] = units.find(([, size]) => value >= size) ?? ['', 1];
  const whole = Math.floor(value / factor);
  // Ten times the remainder over the factor, not ten times the quotient: the quotient may be rounded up already.
  const tenth = Math.floor(((value % factor) * 10) / factor);
  return tenth === 0 ? `${whole}${name}` : `${whole}.${tenth}${name}`;
}
