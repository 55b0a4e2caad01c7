// Makes the folder that is packed and published: `node .ci/package/make-package.mjs [folder]`. The same sources give the same
// bytes, whatever the folder of the checkout is called. Nothing in it has to be compiled or run at installation.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildWeb } from '../build-web.mjs';
import { bundle, PACKAGES } from '../bundle.mjs';
import { apiTypes } from './api-types.mjs';
import { bundledPackages, compare } from './bundled-packages.mjs';
import { root } from './root.mjs';

const COPIED = [
  'settings',
  'docs',
  'examples/documents',
  'examples/library',
  'examples/rest',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
];

/** For those who work on the program, with a checkout. Links to them lead to the repository. */
const NOT_COPIED = new Set(['docs/architecture.md', 'docs/releasing.md'].map((path) => join(root, path)));

/** What `crawler generate` prints, for whoever makes a package of an operating system. */
const GENERATED = {
  man: 'man/crawler.1',
  bash: 'completions/crawler.bash',
  zsh: 'completions/_crawler',
  fish: 'completions/crawler.fish',
};

/** @returns the packages that the bundle holds code of */
export async function makePackage(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const metafile = await bundle(folder);
  for (const path of COPIED)
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: (each) => !NOT_COPIED.has(each) });
  const web = await buildWeb(join(folder, 'lib', 'web'));
  const packages = bundledPackages({ outputs: { ...metafile.outputs, ...web.outputs } });
  write(folder, 'THIRD-PARTY-NOTICES.txt', notices(packages));
  write(folder, 'package.json', `${JSON.stringify(manifest(), null, 2)}\n`);
  for (const [name, text] of apiTypes()) write(folder, join('lib', 'types', name), text);
  for (const [what, name] of Object.entries(GENERATED)) write(folder, name, generated(folder, what));
  setModes(folder);
  return packages;
}

function write(folder, name, text) {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
}

function generated(folder, what) {
  const env = { ...process.env, HOME: folder, NODE_OPTIONS: '', NODE_DISABLE_COMPILE_CACHE: '1' };
  return execFileSync(process.execPath, [join(folder, 'lib', 'crawler.js'), 'generate', what], { env });
}

/** What the bundle holds is no dependency any more. */
function manifest() {
  const { version, description, license, keywords, homepage, repository, bugs, engines, dependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  return {
    name: 'document-crawler',
    version,
    description,
    keywords,
    homepage,
    bugs,
    repository,
    license,
    type: 'module',
    engines,
    bin: { crawler: 'lib/crawler.js' },
    types: './lib/types/api/index.d.ts',
    // `default`, not `import`: CommonJS programs may require it as well.
    exports: {
      '.': { types: './lib/types/api/index.d.ts', default: './lib/index.js' },
      './package.json': './package.json',
    },
    dependencies: Object.fromEntries(PACKAGES.map((name) => [name, dependencies[name]])),
  };
}

/** A text that several packages have in common stands with the first of them. */
function notices(packages) {
  const head = `The files in lib/ hold code of the packages below, each under its own licence.\n`;
  const seen = new Map();
  // Texts of one licence side by side: the archive holds what they share once.
  const byLicence = [...packages].sort((a, b) => compare(a.licence, b.licence));
  const parts = byLicence.map(({ name, version, licence, texts }) => {
    const rule = '='.repeat(100);
    const shown = texts.map((each) => {
      const text = each.trim();
      const first = seen.get(text);
      seen.set(text, first ?? `${name} ${version}`);
      return first === undefined ? text : `The text is that of ${first} above, word for word.`;
    });
    return `${rule}\n${name} ${version}\n${licence}\n${rule}\n\n${shown.join('\n\n')}\n`;
  });
  return [head, ...parts].join('\n');
}

/** The modes in the checkout depend on the umask of whoever made it. */
function setModes(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    const isProgram = statSync(path).isDirectory() || name === join('lib', 'crawler.js');
    chmodSync(path, isProgram ? 0o755 : 0o644);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const packages = await makePackage(resolve(process.argv[2] ?? join(root, 'build', 'package')));
  for (const { name, version, licence } of packages) console.log(`${name} ${version} ${licence}`);
}
