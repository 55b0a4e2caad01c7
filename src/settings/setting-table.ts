import { declarations } from './declarations/index.js';
import type { AnySection, Members, Setting } from './setting.js';

/** The declarations as a flat table, with the names under which the outside knows each setting. */
export interface SettingRow {
  /** Key in files: `fs.update_rate`. */
  readonly path: string;
  /** Way through JobSettings: `['fs', 'updateRateMs']`. */
  readonly properties: readonly string[];
  readonly declared: Setting<unknown>;
  /** `CRAWLER_FS_UPDATE_RATE`. */
  readonly environment: string;
}

export interface SectionRow {
  /** `fs.ocr`. */
  readonly path: string;
  readonly declared: AnySection;
}

export const settingRows: readonly SettingRow[] = [...settingsBelow(declarations, [], [])];
export const sectionRows: readonly SectionRow[] = [...sectionsBelow(declarations, [])];

const rowsByPath: ReadonlyMap<string, SettingRow> = new Map(settingRows.map((row) => [row.path, row]));

/** The row of a setting that the program itself names. */
export function rowOf(path: string): SettingRow {
  const row = rowsByPath.get(path);
  if (row === undefined) throw new RangeError(`[${path}] is not a setting.`);
  return row;
}

/** The key of a property in files: snake_case, without the unit that the setting type gives the property. */
export function wireName(property: string, unit: string | undefined): string {
  const bare = unit !== undefined && property.endsWith(unit) ? property.slice(0, -unit.length) : property;
  return bare.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function* settingsBelow(
  members: Members,
  keys: readonly string[],
  properties: readonly string[],
): Generator<SettingRow> {
  for (const [property, node] of Object.entries(members)) {
    const unit = node.kind === 'setting' ? node.type.unit : undefined;
    const nodeKeys = [...keys, wireName(property, unit)];
    const nodeProperties = [...properties, property];
    if (node.kind === 'section') {
      yield* settingsBelow(node.members, nodeKeys, nodeProperties);
    } else {
      const environment = `CRAWLER_${nodeKeys.join('_').toUpperCase()}`;
      yield { path: nodeKeys.join('.'), properties: nodeProperties, declared: node, environment };
    }
  }
}

function* sectionsBelow(members: Members, keys: readonly string[]): Generator<SectionRow> {
  for (const [property, node] of Object.entries(members)) {
    if (node.kind !== 'section') continue;
    const nodeKeys = [...keys, wireName(property, undefined)];
    yield { path: nodeKeys.join('.'), declared: node };
    yield* sectionsBelow(node.members, nodeKeys);
  }
}
