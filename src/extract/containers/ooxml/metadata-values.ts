import type { FormatContext } from '../../format.js';

/** How values that several formats share become metadata. */

/** Several values in one string, separated by semicolons; each is kept once. */
export function metaList(context: FormatContext, key: string, value: string): void {
  for (const part of new Set(value.split(';'))) context.meta(key, part.trim());
}

const W3C =
  /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:T(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * A date of ISO 8601 as XML formats write it, with or without time, fraction and zone. Without a zone it is UTC.
 * Undefined when the text is no date.
 */
export function w3cDate(text: string): Date | undefined {
  const match = W3C.exec(text.trim());
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match
    .slice(1, 7)
    .map((part: string | undefined) => Number(part ?? 0));
  const fraction = Number(`0.${match[7] ?? '0'}`);
  const time = Date.UTC(
    year ?? 0,
    Math.max(1, month ?? 1) - 1,
    Math.max(1, day ?? 1),
    hour,
    minute,
    second,
    Math.floor(fraction * 1000),
  );
  return Number.isNaN(time) ? undefined : new Date(time - zoneOffset(match[8]));
}

function zoneOffset(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}
