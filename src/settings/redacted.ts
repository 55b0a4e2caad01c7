import { declarations } from './declarations/index.js';
import type { JobSettings } from './job-settings.js';
import type { Members } from './setting.js';
import { wireName } from './setting-table.js';

/**
 * The settings as `GET /` shows them: keys as in files, durations and sizes as text, nothing that is unset or empty, and
 * no secret: neither passwords and keys nor the credentials in addresses.
 */
export function redactedSettings(settings: JobSettings): Record<string, unknown> {
  return redactedMembers(declarations, settings);
}

function redactedMembers(members: Members, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [property, node] of Object.entries(members)) {
    const value = values[property];
    if (node.kind === 'section') {
      const section = redactedMembers(node.members, value as Readonly<Record<string, unknown>>);
      if (Object.keys(section).length > 0) shown[wireName(property, undefined)] = section;
    } else if (!node.secret && value !== undefined) {
      const printed = node.type.print(value);
      if (printed !== undefined) shown[wireName(property, node.type.unit)] = printed;
    }
  }
  return shown;
}
