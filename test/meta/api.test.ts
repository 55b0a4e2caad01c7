import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { settingsTypes } from '../../src/settings/settings-types.js';

/** `[path, text]` of each declaration file of the package. */
function declarations(): [path: string, text: string][] {
  const program = `import { apiTypes } from './.ci/package/api-types.mjs'; console.log(JSON.stringify([...apiTypes()]));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  return JSON.parse(printed) as [string, string][];
}

test('src/api/settings.ts is up to date (npm run docs writes it anew)', () => {
  expect(readFileSync('src/api/settings.ts', 'utf8')).toBe(settingsTypes());
});

test('what programs are compiled with changes on purpose only (npm run jest -- test/meta/api -u)', () => {
  const all = declarations();
  expect(all.map(([path]) => path).sort()).toEqual([
    'api/crawl.d.ts',
    'api/extract.d.ts',
    'api/index.d.ts',
    'api/open-index.d.ts',
    'api/settings.d.ts',
    'api/types.d.ts',
    'base/errors.d.ts',
    'base/logger.d.ts',
    'model/reason.d.ts',
  ]);
  // The settings are held by the test above and by docs/settings.md.
  const texts = all.filter(([path]) => path !== 'api/settings.d.ts');
  expect(texts.map(([path, text]) => `// ${path}\n${text}`).join('\n')).toMatchSnapshot();
});

test('docs/library.md names everything that is exported', () => {
  const page = readFileSync('docs/library.md', 'utf8');
  const names = [...readFileSync('src/api/index.ts', 'utf8').matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(
    ([, list = '']) => list.split(',').map((name) => name.trim()),
  );
  expect(names.filter((name) => name !== '' && !page.includes(`\`${name}\``))).toEqual([]);
});
