import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

/**
 * The lock must do for every platform, not only for the one that wrote it: `npm ci` refuses a lock that lacks the entries
 * of optional builds for other platforms (https://github.com/npm/cli/issues/4828, #8320).
 */
interface LockEntry {
  /** The package under an alias: `npm:name@version`. */
  readonly name?: string;
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '../..');
const { packages } = read('package-lock.json') as { packages: Readonly<Record<string, LockEntry>> };
const installed = Object.entries(packages).filter(([place]) => place !== '');

test('every optional build of a package is in the lock, for every platform', () => {
  const wanted = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => ({ place, name })),
  );
  const missing = wanted.filter(({ place, name }) => !places(place, name).some((each) => each in packages));
  expect(wanted.length).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});

test('every package in the lock has a digest, and comes from the public registry', () => {
  const open = installed.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'));
  const elsewhere = installed.filter(
    ([, { resolved }]) => resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'),
  );
  expect(open.map(([place]) => place)).toEqual([]);
  expect(elsewhere.map(([place]) => place)).toEqual([]);
});

test('every version that the manifest names is exact, and is the one in the lock', () => {
  const { dependencies, devDependencies, overrides } = read('package.json') as Manifest;
  const direct = Object.entries({ ...dependencies, ...devDependencies });
  expect(direct).toEqual(direct.map(([name]) => [name, versionOf(packages[`node_modules/${name}`])]));
  for (const [name, version] of Object.entries(overrides)) {
    const used = installed.filter(([place]) => place.endsWith(`node_modules/${name}`));
    expect([name, ...used.map(([, entry]) => versionOf(entry))]).toEqual([name, ...used.map(() => version)]);
    expect(used.length).toBeGreaterThan(0);
  }
});

/** As the manifest writes it. */
function versionOf({ name, version }: LockEntry = {}): string | undefined {
  return name === undefined ? version : `npm:${name}@${version}`;
}

/** Where Node looks for a package, from the folder of the one that asks for it upward. */
function places(from: string, name: string): string[] {
  const above = from.lastIndexOf('node_modules/');
  const here = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`;
  return from === '' ? [here] : [here, ...places(from.slice(0, Math.max(0, above - 1)), name)];
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(join(root, name), 'utf8'));
}
