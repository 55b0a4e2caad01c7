import { invalidArgument } from '../api-error.js';

const UNITS: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const LONGEST_MS = 86_400_000;

/** Milliseconds of `1m`, `30s`, `1d`; a day at most, as in Elasticsearch. */
export function keepAliveMs(text: string, parameter: string): number {
  const [, number = '', unit = ''] = /^(\d{1,15})([a-z]+)$/.exec(text) ?? [];
  const factor = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
  if (number === '' || factor === undefined) {
    throw invalidArgument(
      `failed to parse setting [${parameter}] with value [${text.slice(0, 100)}] as a time value such as [1m]`,
    );
  }
  const ms = Number(number) * factor;
  if (ms <= LONGEST_MS) return ms;
  throw invalidArgument(`Keep alive for request (${text}) is too large. It must be less than (1d).`);
}
