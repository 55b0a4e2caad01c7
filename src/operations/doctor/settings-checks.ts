import type { LoadedSettings } from '../../settings/load-settings.js';
import { settingRows, type SettingRow } from '../../settings/setting-table.js';
import { withoutCredentials } from '../../settings/without-credentials.js';
import { broken, ok, warning, type Check } from './check.js';

/** The value that holds for one setting, and who said so. */
export interface SettingOrigin {
  readonly setting: string;
  readonly value: string;
  /** `_settings.yaml:12`, `CRAWLER_FS_URL`, `FS_JAVA_OPTS`, `--set`, `command line`, `default`. */
  readonly origin: string;
}

export function settingsChecks(loaded: LoadedSettings): readonly Check[] {
  const given = settingOrigins(loaded).filter(({ origin }) => origin !== 'default');
  return [
    ok('settings', `${given.length} of ${settingRows.length} are given, the others have their defaults`),
    ...given.map(({ setting, value, origin }) => ok('settings', `${setting} = ${value}  (${origin})`)),
    ...loaded.unresolved.map((text) => broken('settings', text, 'Until then no run of the job can start.')),
    ...loaded.warnings.map((text) => warning('settings', text, 'Change it there, or leave it as it is.')),
  ];
}

/** Every setting with its value, secrets left out. */
export function settingOrigins({ settings, originOf }: LoadedSettings): readonly SettingOrigin[] {
  return settingRows.map((row) => ({
    setting: row.path,
    value: shownValue(row, valueAt(settings, row.properties)),
    origin: originOf(row.path),
  }));
}

function valueAt(settings: unknown, properties: readonly string[]): unknown {
  return properties.reduce<unknown>(
    (value, property) => (value as Readonly<Record<string, unknown>>)[property],
    settings,
  );
}

function shownValue({ declared }: SettingRow, value: unknown): string {
  if (value === undefined) return '(not set)';
  if (declared.secret) return '(secret)';
  const printed = declared.type.print(value);
  if (printed === undefined) return '(empty)';
  if (typeof printed === 'string') return withoutCredentials(printed);
  return typeof printed === 'object' ? printed.map(withoutCredentials).join(', ') : String(printed);
}
