import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { metaFields } from '../../src/ingest/meta-fields.js';
import { formatsMarkdown } from '../../src/extract/formats-docs.js';
import { reasons } from '../../src/model/reason.js';

/** With the padding of table columns taken away. */
const read = (path: string): string => readFileSync(path, 'utf8').replace(/ {2,}/g, ' ');
const pages = [
  'README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name)),
].filter((path) => path.endsWith('.md'));

describe('the architecture page', () => {
  const page = read('docs/architecture.md');

  test('names the folders of src/, and no other', () => {
    const named = [...page.matchAll(/^\| \d+ \| `(\w+)\/` \|/gm)].map(([, folder]) => folder);
    expect(named.sort()).toEqual(readdirSync('src').sort());
  });

  test('has the layers of the import rule', () => {
    const layerOf = new Map(
      [...page.matchAll(/^\| (\d+) \| `(\w+)\/` \|/gm)].map(([, layer, folder]) => [folder, layer]),
    );
    const rule = /const layers = (\[[\s\S]*?\n\]);/.exec(read('.dependency-cruiser.cjs'))?.[1] ?? '[]';
    const layers = JSON.parse(rule.replaceAll("'", '"').replace(/,(\s*\])/g, '$1')) as string[][];
    layers.forEach((folders, at) => {
      for (const folder of folders) expect([folder, layerOf.get(folder)]).toEqual([folder, String(at + 1)]);
    });
  });

  test('names files that exist', () => {
    const files = [...page.matchAll(/`((?:[a-z-]+\/)+[a-z-]+\.ts)`/g)].map(([, path]) => path ?? '');
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) expect([file, existsSync(join('src', file)) || existsSync(file)]).toEqual([file, true]);
  });
});

test('every reason is documented (npm run docs)', () => {
  const page = read('docs/crawler.md');
  for (const [reason, meaning] of Object.entries(reasons)) expect(page).toContain(`| \`${reason}\` | ${meaning} |`);
});

test('every metadata field is documented (npm run docs)', () => {
  const page = read('docs/documents.md');
  for (const { field, keys } of metaFields) expect(page).toContain(`| \`meta.${field}\` | \`${keys[0] ?? ''}\``);
});

test('docs/formats.md is up to date (npm run docs writes it anew)', () => {
  expect(readFileSync('docs/formats.md', 'utf8')).toBe(formatsMarkdown());
});

test.each(pages)('links of %s lead somewhere', (path) => {
  const links = [...read(path).matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => link ?? '');
  for (const link of links) expect([link, existsSync(join(dirname(path), link))]).toEqual([link, true]);
});

test('the licence is the one that package.json names', () => {
  const { license } = JSON.parse(read('package.json')) as { license: string };
  expect(license).toBe('Apache-2.0');
  expect(read('LICENSE')).toContain('Apache License');
});

test('the change log knows the version of package.json', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(read('CHANGELOG.md')).toContain(`## ${version}`);
});

describe('the tree', () => {
  test('holds no work that is put off', () => {
    for (const path of readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    )) {
      expect([
        path,
        /\b(TODO|FIXME|XXX)\b|eslint-disable|@ts-ignore|@ts-expect-error/.exec(read(join('src', path))),
      ]).toEqual([path, null]);
    }
  });

  test('pins every dependency', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
      string,
      Record<string, string>
    >;
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      // A second version of a package goes by another name.
      expect([name, version]).toEqual([name, expect.stringMatching(/^(npm:@?[\w./-]+@)?\d+\.\d+\.\d+$/)]);
    }
  });
});
