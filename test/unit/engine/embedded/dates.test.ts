import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addUnits, evaluateDateMath, floorTo, parseDate } from '../../../../src/engine/embedded/fields/dates.js';

const DOWN = { roundUp: false, offsetMs: 0 };
const UP = { roundUp: true, offsetMs: 0 };
const NOW = Date.parse('2024-05-15T12:34:56.789Z');

function shown(epochMs: number | undefined): string | undefined {
  return epochMs === undefined ? undefined : new Date(epochMs).toISOString();
}

test.each([
  ['2024', '2024-01-01T00:00:00.000Z', '2024-01-01T23:59:59.999Z'],
  ['2024-02', '2024-02-01T00:00:00.000Z', '2024-02-01T23:59:59.999Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
  ['2024-05-01T10', '2024-05-01T10:00:00.000Z', '2024-05-01T10:59:59.999Z'],
  ['2024-05-01T10:30', '2024-05-01T10:30:00.000Z', '2024-05-01T10:30:59.999Z'],
  ['2024-05-01T10:30:15', '2024-05-01T10:30:15.000Z', '2024-05-01T10:30:15.999Z'],
  ['2024-05-01T10:30:15.123', '2024-05-01T10:30:15.123Z', '2024-05-01T10:30:15.123Z'],
  ['2024-05-01T10:30:15.123456789Z', '2024-05-01T10:30:15.123Z', '2024-05-01T10:30:15.123Z'],
  ['2024-05-01T10:30:15,5Z', '2024-05-01T10:30:15.500Z', '2024-05-01T10:30:15.500Z'],
  ['2024-05-01T10:30:00+02:00', '2024-05-01T08:30:00.000Z', '2024-05-01T08:30:00.999Z'],
  ['2024-05-01T10:30:00-0530', '2024-05-01T16:00:00.000Z', '2024-05-01T16:00:00.999Z'],
  ['1969-12-31', '1969-12-31T00:00:00.000Z', '1969-12-31T23:59:59.999Z'],
])('%s begins and ends', (text, start, end) => {
  expect(shown(parseDate(text, DOWN))).toBe(start);
  expect(shown(parseDate(text, UP))).toBe(end);
});

test.each([
  '',
  'x',
  '24-01-01',
  '2024-13',
  '2024-02-30',
  '2024-05-01T24:00',
  '2024-05-01T10:60',
  '2024-05-01T',
  '2024-05-01Z',
])('%p is no date', (text) => {
  expect(parseDate(text)).toBeUndefined();
});

test('a text without a zone is read on the clock of the given one', () => {
  expect(shown(parseDate('2024-05-01', { roundUp: false, offsetMs: 7_200_000 }))).toBe('2024-04-30T22:00:00.000Z');
  expect(shown(parseDate('2024-05-01T00:00:00Z', { roundUp: false, offsetMs: 7_200_000 }))).toBe(
    '2024-05-01T00:00:00.000Z',
  );
});

test.each([
  ['now', '2024-05-15T12:34:56.789Z', '2024-05-15T12:34:56.789Z'],
  ['now/d', '2024-05-15T00:00:00.000Z', '2024-05-15T23:59:59.999Z'],
  ['now-1d/d', '2024-05-14T00:00:00.000Z', '2024-05-14T23:59:59.999Z'],
  ['now/w', '2024-05-13T00:00:00.000Z', '2024-05-19T23:59:59.999Z'],
  ['now/M-1d', '2024-04-30T00:00:00.000Z', '2024-05-30T23:59:59.999Z'],
  ['now+1M', '2024-06-15T12:34:56.789Z', '2024-06-15T12:34:56.789Z'],
  ['now-1y+2h-30m+5s', '2023-05-15T14:05:01.789Z', '2023-05-15T14:05:01.789Z'],
  ['now-d', '2024-05-14T12:34:56.789Z', '2024-05-14T12:34:56.789Z'],
  ['2024-01-31||+1M', '2024-02-29T00:00:00.000Z', '2024-02-29T00:00:00.000Z'],
  ['2024-01-31||/y', '2024-01-01T00:00:00.000Z', '2024-12-31T23:59:59.999Z'],
  ['2024-01', '2024-01-01T00:00:00.000Z', '2024-01-01T23:59:59.999Z'],
  ['2024-02||/M', '2024-02-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
])('date math: %s', (text, down, up) => {
  expect(shown(evaluateDateMath(text, NOW, DOWN))).toBe(down);
  expect(shown(evaluateDateMath(text, NOW, UP))).toBe(up);
});

test.each(['nowadays', 'now+', 'now+1x', 'now/', '2024||x', 'soon||+1d'])('%p is no date math', (text) => {
  expect(evaluateDateMath(text, NOW, DOWN)).toBeUndefined();
});

test('rounding and steps are made on the clock of the zone', () => {
  const offsetMs = 7_200_000;
  expect(shown(floorTo(NOW, 'month', offsetMs))).toBe('2024-04-30T22:00:00.000Z');
  expect(shown(addUnits(Date.parse('2024-04-30T22:00:00Z'), 1, 'month', offsetMs))).toBe('2024-05-31T22:00:00.000Z');
});

test('every instant lies in its unit', () => {
  const unit = fc.constantFrom('year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second');
  const instant = fc.integer({ min: -2_000_000_000_000, max: 4_000_000_000_000 });
  const offset = fc.integer({ min: -14 * 4, max: 14 * 4 }).map((quarters) => quarters * 900_000);
  fc.assert(
    fc.property(instant, unit, offset, (epochMs, unitName, offsetMs) => {
      const start = floorTo(epochMs, unitName, offsetMs);
      expect(start).toBeLessThanOrEqual(epochMs);
      expect(addUnits(start, 1, unitName, offsetMs)).toBeGreaterThan(epochMs);
      expect(floorTo(start, unitName, offsetMs)).toBe(start);
    }),
  );
});
