import type { EffectiveValues } from './effective-values.js';
import type { JobSettings } from './job-settings.js';
import type { Report } from './report.js';
import { type SettingRow, settingRows } from './setting-table.js';
import { withoutCredentials } from './without-credentials.js';
import { textsOf, type Written } from './written.js';

interface Built {
  readonly settings: JobSettings;
  /** Settings whose value could not be read: they hold nothing to go by. */
  readonly broken: ReadonlySet<string>;
}

/** Reads every value with its grammar. What cannot be read is reported, and left undefined. */
export function buildSettings(values: EffectiveValues, report: Report): Built {
  const root: Record<string, unknown> = {};
  const broken = new Set<string>();
  for (const row of settingRows) {
    const value = readValue(row, values, report, broken);
    sectionOf(root, row.properties.slice(0, -1))[row.properties.at(-1) ?? ''] = value;
  }
  // The rows are the declarations that JobSettings is derived from.
  return { settings: root as JobSettings, broken };
}

function readValue(row: SettingRow, values: EffectiveValues, report: Report, broken: Set<string>): unknown {
  const origin = values.originOf(row.path);
  let written: Written | undefined;
  try {
    written = values.written(row.path);
    return written === undefined ? row.declared.whenUnset : row.declared.grammar.parse(written);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    broken.add(row.path);
    // A default fails only because of a setting that it refers to, which is reported itself.
    if (origin !== undefined) report.problem(origin, problemWith(row, written, error.message));
    return undefined;
  }
}

/** `fs.update_rate [5]: …`; the value is left out when the sentence names it already, and when it is a secret. */
export function problemWith(row: SettingRow, written: Written | undefined, sentence: string): string {
  const texts = written === undefined || row.declared.secret ? [] : textsOf(written).map(withoutCredentials);
  const isNamed = texts.length === 0 || texts.some((text) => sentence.includes(`[${text}]`));
  return isNamed ? `${row.path}: ${sentence}` : `${row.path} [${texts.join(', ')}]: ${sentence}`;
}

function sectionOf(root: Record<string, unknown>, properties: readonly string[]): Record<string, unknown> {
  let section = root;
  for (const property of properties) {
    const next = (section[property] ?? {}) as Record<string, unknown>;
    section[property] = next;
    section = next;
  }
  return section;
}
