import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

/** docs/architecture.md says of every library why it is there, and of nothing else that it were. */
interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const [, section = ''] = /## Libraries and what is written by hand, and why\n([^]*?)\n## /.exec(
  readFileSync('docs/architecture.md', 'utf8'),
) ?? [''];
const rows = [...section.matchAll(/^\| +([^|]*?) +\| +([^|]*?) +\| +([^|]*?) +\|$/gm)]
  .map(([, task = '', by = '', why = '']) => ({ task, by, why }))
  .filter(({ task }) => task !== 'task' && !task.startsWith('---'));
const named = rows.flatMap(({ by }) => [...by.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));

test('the table of libraries names every package that the program uses', () => {
  expect(Object.keys(dependencies).filter((name) => !named.includes(name))).toEqual([]);
});

test('the table of libraries names only what there is', () => {
  const unknown = named.filter((name) => {
    if (name in dependencies || name in devDependencies || builtinModules.includes(name.replace('node:', '')))
      return false;
    return !existsSync(join('src', name));
  });
  expect(unknown).toEqual([]);
});

test('every row of the table says why', () => {
  expect(rows.length).toBeGreaterThan(Object.keys(dependencies).length / 2);
  expect(rows.filter(({ by, why }) => by === '' || why.length < 10)).toEqual([]);
});
