import { oldKeys } from './old-keys.js';
import { type Setting, shownDefault } from './setting.js';
import { sectionRows, type SettingRow, settingRows } from './setting-table.js';
import { isRawList, type RawValue } from './raw-value.js';

/** docs/settings.md, whole: the rules in prose, the tables from the declarations. */
export function settingsMarkdown(): string {
  return [INTRODUCTION, ...settingTables(), typesTable(), oldKeysTable()].join('\n\n') + '\n';
}

const INTRODUCTION = `# Settings

<!-- Generated from src/settings/declarations. \`npm run docs\` writes this page anew. -->

A job is a folder below the config directory (\`~/.crawler/<job>\`; \`--config_dir\` or \`CRAWLER_CONFIG_DIR\` name another).
\`crawler <job> --setup\` writes a commented \`_settings.yaml\` into it. Only \`fs.url\` is required, and only for a crawl.

## Where settings come from

From the weakest to the strongest:

1. the defaults below
2. \`-Dkey=value\` in the variable \`FS_JAVA_OPTS\`
3. variables that begin with \`FSCRAWLER_\`, then those that begin with \`CRAWLER_\`
4. the folder of an ad-hoc job (\`crawler ./docs\`), as \`fs.url\`
5. the files of the job
6. \`--set key=value\`

The files are \`_settings.yaml\`, or else \`_settings.json\`, or else all \`.yaml\`, \`.yml\` and \`.json\` files of the folder
\`_settings\` in the order of their names. They are merged key by key; a list replaces a list as a whole.

## How they are written

- Keys match in any case and as \`snake_case\`, \`camelCase\` or \`kebab-case\`. Dots may replace nesting: \`ocr.enabled: false\`.
- \`elasticsearch\` is another name of the section \`engine\`. Where both are given, \`engine\` wins.
- A key that does not exist is an error that names file, line and the nearest key. A variable that begins with \`CRAWLER_\` or
  \`FSCRAWLER_\` and is no setting is a warning that names the nearest one. Keys of older FSCrawler versions are listed at
  the end of this page.
- An empty value means "not given", except where its meaning says otherwise; for a list it is an empty list.
- Texts may hold placeholders: \`\${NAME}\` is an environment variable, a \`-D\` property or another setting, whichever is
  found first; \`\${NAME:=value}\` has a value for when there is none; \`\\\${\` is a plain \`\${\`. A run needs a value for every
  placeholder, other commands only for those in settings that they look at.
- In variables and options, the items of a list stand between commas (\`\\,\` is a comma inside an item), or come one by one
  as \`CRAWLER_FS_INCLUDES_0\`, \`CRAWLER_FS_INCLUDES_1\`, \`--set fs.includes[0]=…\`.
- \`@{secret}\` behind a value is a remark and is cut off, except below \`passwords.providers\`.`;

function settingTables(): readonly string[] {
  const heads = [
    { path: '', title: '## The job', about: '' },
    ...sectionRows.map(({ path, declared }) => ({ path, title: `## ${path}`, about: `${declared.about}\n\n` })),
  ];
  return heads.flatMap(({ path, title, about }) => {
    const rows = settingRows.filter((row) => parentOf(row.path) === path);
    return rows.length === 0 ? [] : [`${title}\n\n${about}${settingTable(rows)}`];
  });
}

function settingTable(rows: readonly SettingRow[]): string {
  return table(
    ['Setting', 'Type', 'Default', 'Environment variable', 'Meaning'],
    rows.map(({ path, declared, environment }) => [
      `\`${path}\``,
      declared.type.name,
      defaultCell(declared),
      `\`${environment}\``,
      declared.secret ? `${declared.meaning} Secret: never shown or logged.` : declared.meaning,
    ]),
  );
}

function defaultCell(declared: Setting<unknown>): string {
  const value = shownDefault(declared);
  if (value === undefined) return '–';
  const isText = typeof declared.default === 'string' || isRawList(value);
  return isText ? `\`${shown(value)}\`` : shown(value);
}

function shown(value: RawValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function typesTable(): string {
  const types = new Map(settingRows.map(({ declared }) => [declared.type.name, declared.type.expects]));
  const rows = [...types]
    .filter(([name]) => !name.includes('`') && !name.startsWith('list of ') && !name.startsWith('integer '))
    .sort(([left], [right]) => left.localeCompare(right, 'en'))
    .map(([name, expects]) => [name, expects.replaceAll('*', '\\*')]);
  return `## Types\n\n${table(['Type', 'What to write'], rows)}`;
}

function oldKeysTable(): string {
  const rows = oldKeys.map(({ paths, note, wholeSection }) => [
    paths.map((path) => `\`${path}${wholeSection === true ? '.*' : ''}\``).join(', '),
    note,
  ]);
  return `## Keys of older FSCrawler versions\n\nThey are understood, with a warning.\n\n${table(['Key', 'It …'], rows)}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n');
}

function parentOf(path: string): string {
  return path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : '';
}
