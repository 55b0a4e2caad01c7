/** A duration for people: `15m 32s`, `1h 15m`, `7s`. Zero parts at the end are left out; never negative. */
export function elapsedTime(durationMs: number): string {
  const total = Math.max(0, Math.floor(durationMs / 1000));
  const parts: [number, string][] = [
    [Math.floor(total / 3600), 'h'],
    [Math.floor(total / 60) % 60, 'm'],
    [total % 60, 's'],
  ];
  while (parts.length > 1 && parts[0]?.[0] === 0) parts.shift();
  while (parts.length > 1 && parts.at(-1)?.[0] === 0) parts.pop();
  return parts.map(([amount, unit]) => `${amount}${unit}`).join(' ');
}
