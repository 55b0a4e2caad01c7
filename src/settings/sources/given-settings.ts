import { findKey } from '../find-key.js';
import type { Layer } from '../layer.js';
import type { Report } from '../report.js';
import type { RawValue } from '../raw-value.js';
import { takeFound } from './flat-values.js';

/** Settings as a program gives them: keys as in a file, nested or with dots; texts, numbers, booleans and lists of them. */
export type GivenSettings = Readonly<Record<string, unknown>>;

/** Of messages. */
const ORIGIN = 'settings';

/** Hands settings of a program to a layer. What is undefined or null says nothing. */
export function readGivenSettings(given: GivenSettings, layer: Layer, report: Report): void {
  readMembers(given, [], layer, report);
}

function readMembers(members: GivenSettings, parents: readonly string[], layer: Layer, report: Report): void {
  for (const [key, value] of Object.entries(members)) {
    if (!isNothing(value)) readMember([...parents, ...key.split('.')], value, layer, report);
  }
}

function readMember(parts: readonly string[], value: unknown, layer: Layer, report: Report): void {
  const key = parts.join('.');
  const found = findKey(parts);
  if (found.kind === 'section') {
    if (isMap(value)) readMembers(value, parts, layer, report);
    else report.problem(ORIGIN, `${found.row.path} must be an object of settings.`);
    return;
  }
  const raw = toRaw(value);
  if (raw === undefined) {
    report.problem(ORIGIN, `${key} must be a text, a number, a boolean, or a list of them.`);
  } else if (!takeFound(found, raw, layer, ORIGIN)) {
    const advice = found.kind === 'unknown' && found.nearest !== undefined ? ` Did you mean ${found.nearest}?` : '';
    report.problem(ORIGIN, `${key} is not a setting.${advice}`);
  }
}

function toRaw(value: unknown): RawValue | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (!Array.isArray(value)) return undefined;
  const items = value.map(toRaw);
  return items.every((item) => item !== undefined) ? items : undefined;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

function isMap(value: unknown): value is GivenSettings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
