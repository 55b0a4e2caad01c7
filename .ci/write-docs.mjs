// npm run docs: writes the generated pages and tables of docs/ from the compiled program.
// test/meta/docs.test.ts fails when they are out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatsMarkdown } from '../dist/extract/formats-docs.js';
import { metaFields } from '../dist/ingest/meta-fields.js';
import { reasons } from '../dist/model/reason.js';
import { settingsMarkdown } from '../dist/settings/settings-docs.js';

const page = (name) => fileURLToPath(new URL(`../docs/${name}`, import.meta.url));

writeFileSync(page('settings.md'), settingsMarkdown());
writeFileSync(page('formats.md'), formatsMarkdown());
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

/** Replaces the first table below a heading. */
function replaceTable(name, heading, rows) {
  const text = readFileSync(page(name), 'utf8');
  const from = text.indexOf('\n|', text.indexOf(heading)) + 1;
  const to = text.indexOf('\n\n', from);
  writeFileSync(page(name), text.slice(0, from) + rows.join('\n') + text.slice(to));
}
