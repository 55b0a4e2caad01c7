// Which packages the bundle holds code of, and whether their licences allow that.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './root.mjs';

const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
]);

/** Texts of packages that were published without theirs. */
const TEXTS = fileURLToPath(new URL('licences/', import.meta.url));

/**
 * @returns `{ name, version, licence, texts }` of each package, by name and version. Throws when a licence is not on the list,
 * or has no text.
 */
export function bundledPackages({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  const folders = new Set(inputs.map(packageOf).filter((folder) => folder !== undefined));
  const packages = [...folders].map((folder) => describePackage(join(root, folder)));
  const unique = new Map(packages.map((each) => [`${each.name}@${each.version}`, each]));
  return [...unique.values()].sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

/** The folder of the package that a file of the metafile belongs to, or undefined for a file of this project. */
export function packageOf(path) {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

export function describePackage(folder) {
  const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const licence = license ?? licenses?.map(({ type }) => type).join(' AND ');
  if (!ALLOWED.has(licence)) {
    throw new Error(
      `The licence of ${name} ${version} is [${licence}]: not one that may be bundled (${[...ALLOWED]}).`,
    );
  }
  const texts = licenceTexts(folder, name);
  if (texts.length === 0) throw new Error(`${name} ${version} has no text of its licence: add it to [${TEXTS}].`);
  return { name, version, licence, texts };
}

function licenceTexts(folder, name) {
  const own = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|unlicense|notice)/i.test(file))
    .sort(compare)
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  if (own.length > 0) return own;
  // The packages of a scope come from one repository.
  const added = [name, name.split('/')[0]].map((each) => join(TEXTS, `${each}.txt`)).find(existsSync);
  return added === undefined ? [] : [readFileSync(added, 'utf8')];
}

/** Not by the language of the machine: the same order everywhere. */
export function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
