import type { Layer } from '../layer.js';
import type { Report } from '../report.js';
import { takeFlatValues } from './flat-values.js';

/** `--set fs.update_rate=5m`: the highest of all, so a mistake in it is never passed over. */
export function readOverrides(overrides: readonly string[], layer: Layer, report: Report): void {
  const values = overrides.flatMap((override) => {
    const equals = override.indexOf('=');
    if (equals > 0) return [{ key: override.slice(0, equals).trim(), text: override.slice(equals + 1) }];
    report.problem('--set', `[${override}] has no value. Write --set key=value, such as --set fs.update_rate=5m.`);
    return [];
  });
  takeFlatValues(values, layer, '--set', (key, nearest) => {
    const advice = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    report.problem('--set', `${key} is not a setting.${advice}`);
  });
}
