import { TIME_UNITS } from '../../../base/units.js';
import { invalidArgument } from '../api-error.js';

const LONGEST_MS = 86_400_000;

/** Milliseconds of `1m`, `30s`, `1d`; a day at most, as in Elasticsearch. */
export function keepAliveMs(text: string, parameter: string): number {
  const [, number = '', unit = ''] = /^(\d{1,15})([a-z]+)$/.exec(text) ?? [];
  const factor = TIME_UNITS.get(unit);
  if (number === '' || factor === undefined) {
    throw invalidArgument(
      `failed to parse setting [${parameter}] with value [${text.slice(0, 100)}] as a time value such as [1m]`,
    );
  }
  const ms = Number(number) * factor;
  if (ms <= LONGEST_MS) return ms;
  throw invalidArgument(`Keep alive for request (${text}) is too large. It must be less than (1d).`);
}
