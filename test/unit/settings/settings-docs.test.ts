import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { packageRoot } from '../../../src/base/package-root.js';
import { settingRows } from '../../../src/settings/setting-table.js';
import { settingsMarkdown } from '../../../src/settings/settings-docs.js';

test('docs/settings.md is up to date (npm run docs writes it anew)', () => {
  expect(readFileSync(join(packageRoot, 'docs', 'settings.md'), 'utf8')).toBe(settingsMarkdown());
});

test('docs/settings.md has a row for every setting, with its environment variable', () => {
  const rows = settingsMarkdown().split('\n');
  for (const { path, environment, declared } of settingRows) {
    const cells = rows.find((row) => row.startsWith(`| \`${path}\` |`))?.split(/(?<!\\) \| /);
    expect(cells).toHaveLength(5);
    expect(cells?.[3]).toBe(`\`${environment}\``);
    expect(cells?.[4]).toContain(declared.meaning);
  }
});
