// npm run docs: writes the generated pages and tables of docs/, and the type of the settings, from the compiled program.
// test/meta/docs.test.ts fails when they are out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatsMarkdown } from '../dist/extract/formats-docs.js';
import { metaFields } from '../dist/ingest/meta-fields.js';
import { reasons } from '../dist/model/reason.js';
import { settingsMarkdown } from '../dist/settings/settings-docs.js';
import { settingsTypes } from '../dist/settings/settings-types.js';
import { fetchSchemaLines } from '../dist/source/fetch-docs.js';

const page = (name) => fileURLToPath(new URL(`../docs/${name}`, import.meta.url));

writeFileSync(page('settings.md'), settingsMarkdown());
writeFileSync(page('formats.md'), formatsMarkdown());
writeFileSync(page('../src/api/settings.ts'), settingsTypes());
replaceTable('crawler.md', '## Reasons', [
  '| reason | meaning |',
  '|---|---|',
  ...Object.entries(reasons).map(([reason, meaning]) => `| \`${reason}\` | ${meaning} |`),
]);
replaceTable('documents.md', '## Metadata', [
  '| field | key of the extraction | type |',
  '|---|---|---|',
  ...metaFields.map(
    ({ field, keys, type }) => `| \`meta.${field}\` | ${keys.map((key) => `\`${key}\``).join(', else ')} | ${type} |`,
  ),
]);

replaceLines('openapi.yaml', '# What can be fetched', '# The rest of a fetch request', fetchSchemaLines());

/** Replaces what stands between two lines that hold these words. */
function replaceLines(name, first, last, lines) {
  const text = readFileSync(page(name), 'utf8').split('\n');
  const [from, to] = [first, last].map((words) => text.findIndex((line) => line.includes(words)));
  if (from < 0 || to < from) throw new Error(`${name} has no lines with [${first}] and [${last}]`);
  writeFileSync(page(name), [...text.slice(0, from + 1), ...lines, ...text.slice(to)].join('\n'));
}

/** Replaces the first table below a heading. */
function replaceTable(name, heading, rows) {
  const text = readFileSync(page(name), 'utf8');
  const from = text.indexOf('\n|', text.indexOf(heading)) + 1;
  const to = text.indexOf('\n\n', from);
  writeFileSync(page(name), text.slice(0, from) + rows.join('\n') + text.slice(to));
}
