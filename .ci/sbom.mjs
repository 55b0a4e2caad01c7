// The bill of materials of a release in CycloneDX: every package that the program is made of, with those marked that the bundle
// holds code of. npm gives it a random number and the time of day; here both follow from version and commit, so that it can be
// made again.
//   node .ci/sbom.mjs <build/bundled-packages.txt> > sbom.cdx.json
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { root } from './package/root.mjs';

const run = (program, ...args) => execFileSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 1e9 });

const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
const bundled = new Set(
  readFileSync(process.argv[2], 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').slice(0, 2).join('@')),
);
const [commit, date] = run(`${root}/.ci/commit`, '%H %cI').trim().split(' ');
const sbom = JSON.parse(run('npm', 'sbom', '--silent', '--sbom-format', 'cyclonedx', '--package-lock-only'));
// Not by `--omit dev`: npm 11 also leaves out what is needed by the program and by its tools.
const { packages } = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8'));
const runtime = new Set(
  Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && dev !== true && devOptional !== true)
    .map(([path, { name, version: installed }]) => `${name ?? path.replace(/^.*node_modules\//, '')}@${installed}`),
);
/** By the name that a package was published under: others may be an alias. */
const idOf = (component) => component['bom-ref'];
// What the pages of the browser are made of is no dependency of the program, but in the bundle all the same.
sbom.components = sbom.components.filter((component) => runtime.has(idOf(component)) || bundled.has(idOf(component)));
const shipped = new Set([sbom.metadata.component, ...sbom.components].map(idOf));
sbom.dependencies = sbom.dependencies
  .filter(({ ref }) => shipped.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => shipped.has(each)) }));

sbom.serialNumber = `urn:uuid:${uuid(`${version} ${commit}`)}`;
sbom.metadata.timestamp = date;
// npm takes it from the folder.
sbom.metadata.component.name = 'document-crawler';
// The version of npm that happened to be there says nothing of the product.
delete sbom.metadata.tools;
for (const component of sbom.components) {
  if (!bundled.delete(idOf(component))) continue;
  component.scope = 'required';
  const others = (component.properties ?? []).filter(({ name }) => name !== 'cdx:npm:package:development');
  component.properties = [...others, { name: 'cdx:npm:package:bundled', value: 'true' }];
}
if (bundled.size > 0) throw new Error(`The bundle holds packages that the lock does not name: ${[...bundled]}`);
console.log(JSON.stringify(sbom, undefined, 2));

function uuid(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}
