import { declarations } from './declarations/index.js';
import { shownDefault, type Members, type Setting } from './setting.js';
import { wireName } from './setting-table.js';

const HEAD = `// Generated from src/settings/declarations: \`npm run docs\` writes this file anew.

/** Settings of a job, with the keys of \`_settings.yaml\`. The page \`docs/settings.md\` says how values are written. */
export interface Settings {`;

/** src/api/settings.ts, whole: the settings as a type for programs. */
export function settingsTypes(): string {
  return [HEAD, ...membersOf(declarations, '  '), '}', ''].join('\n');
}

function membersOf(members: Members, indent: string): readonly string[] {
  return Object.entries(members).flatMap(([property, node]) => {
    if (node.kind === 'section') {
      const key = wireName(property, undefined);
      const nested = membersOf(node.members, `${indent}  `);
      return [`${indent}/** ${node.about} */`, `${indent}readonly ${key}?: {`, ...nested, `${indent}};`];
    }
    const about = node.meaning + defaultOf(node);
    return [
      `${indent}/** ${about.replaceAll('*/', '*\\/')} */`,
      `${indent}readonly ${wireName(property, node.type.unit)}?: ${typeOf(node.type.name)};`,
    ];
  });
}

function defaultOf(declared: Setting<unknown>): string {
  const usual = shownDefault(declared);
  if (typeof usual !== 'string' || usual === '') return '';
  return ` Default: ${usual === declared.default ? `\`${usual}\`` : usual}.`;
}

/** The type of a value by the name of its setting type; numbers with a unit are texts (`15m`, `10mb`). */
function typeOf(type: string): string {
  const [, item] = /^list of (.*)$/.exec(type) ?? [];
  if (item !== undefined) return item.startsWith('`') ? `readonly (${typeOf(item)})[]` : 'readonly string[]';
  if (type.startsWith('`')) return type.replaceAll('`', "'").replaceAll(', ', ' | ');
  if (type === 'boolean') return 'boolean';
  if (type.startsWith('integer')) return 'number';
  if (type.endsWith(' or -1')) return 'string | -1';
  return type.startsWith('percentage') ? 'string | number' : 'string';
}
