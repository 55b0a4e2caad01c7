import { declarations } from './declarations/index.js';
import { type AnySection, type Members, type Setting, shownDefault } from './setting.js';
import { wireName } from './setting-table.js';
import { withoutPlaceholders } from './placeholders.js';
import { isRawList, type RawValue } from './raw-value.js';

type Live = ReadonlyMap<string, string>;

/** What a new job starts with. All else is commented out, with its default. */
const LIVE: Live = new Map([
  ['fs.hash_algorithm', 'SHA-256'],
  ['fs.ocr.pdf_strategy', 'auto'],
]);
const LINE_WIDTH = 110;

const HEAD = [
  'Settings of this job. A line with # and a key shows a setting with its default, or with an example: take the # away',
  'to use it, and that of its section as well.',
  'Texts may hold ${VARIABLE} or ${VARIABLE:=default}. [crawler help settings] explains all of them.',
];

/**
 * The `_settings.yaml` that `--setup` writes: every setting with its meaning, ready to be changed.
 * @param root the folder that the job is for, if it is for one
 */
export function setupFileText(root?: string): string {
  const live = root === undefined ? LIVE : new Map([...LIVE, ['fs.url', withoutPlaceholders(root)]]);
  const lines = [...HEAD.map((line) => `# ${line}`), ...memberLines(declarations, [], '', live)];
  return `${lines.join('\n')}\n`;
}

function memberLines(members: Members, keys: readonly string[], indent: string, live: Live): readonly string[] {
  return Object.entries(members).flatMap(([property, node]) => {
    if (node.kind === 'section') return sectionLines(node, [...keys, wireName(property, undefined)], indent, live);
    return settingLines(node, [...keys, wireName(property, node.type.unit)], indent, live);
  });
}

function sectionLines(section: AnySection, keys: readonly string[], indent: string, live: Live): readonly string[] {
  const path = keys.join('.');
  const isLive = [...live.keys()].some((each) => each.startsWith(`${path}.`));
  const head = `${indent}${isLive ? '' : '#'}${keys.at(-1) ?? ''}:`;
  return ['', ...comment(section.about, indent), head, ...memberLines(section.members, keys, `${indent}  `, live)];
}

function settingLines(
  declared: Setting<unknown>,
  keys: readonly string[],
  indent: string,
  live: Live,
): readonly string[] {
  const key = keys.at(-1) ?? '';
  const given = live.get(keys.join('.'));
  const value = given ?? declared.example ?? shownDefault(declared) ?? '';
  const spacer = indent === '' ? [''] : [];
  return [...spacer, ...comment(declared.meaning, indent), ...valueLines(key, value, indent, given === undefined)];
}

function valueLines(key: string, value: RawValue, indent: string, isCommented: boolean): readonly string[] {
  const mark = isCommented ? '#' : '';
  if (!isRawList(value)) return [`${indent}${mark}${key}: ${scalar(value)}`];
  return [`${indent}${mark}${key}:`, ...value.map((item) => `${indent}${mark}  - ${scalar(item)}`)];
}

/** Words that YAML reads as what they are stand plain, all other text in quotes. */
function scalar(value: RawValue): string {
  return typeof value === 'string' && /^(?:true|false|\d+)$/.test(value) ? value : JSON.stringify(value);
}

function comment(meaning: string, indent: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of meaning.replaceAll('`', '').split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (`${indent}# ${longer}`.length <= LINE_WIDTH) {
      line = longer;
    } else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line].map((each) => `${indent}# ${each}`);
}
