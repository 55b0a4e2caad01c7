/** `Z`, `+02:00`, `-0530` in milliseconds. */
export function zoneOffset(zone: string): number {
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}

/** The same of a text that may be anything else, and of `UTC`; undefined for what is no offset, named zones among it. */
export function parseZone(text: string): number | undefined {
  if (text === 'UTC') return 0;
  return /^(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? zoneOffset(text) : undefined;
}
