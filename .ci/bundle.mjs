// The program as a few files that need two packages: `node .ci/bundle.mjs [folder]` writes lib/ into it and says what each
// package costs. Every file of ENTRIES is started by its own path (base/entry-points.ts), but for
// `index`, which programs import; what is imported on demand in
// src/ is a chunk of its own, read when it is needed.
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';
import { packageOf } from './package/bundled-packages.mjs';
import { root } from './package/root.mjs';
import { toCommonJs } from './package/to-common-js.mjs';

const ENTRIES = {
  crawler: 'bin/crawler.js',
  index: 'src/api/index.ts',
  'crawl-thread': 'src/app/crawl-thread.ts',
  'listing-thread': 'src/crawler/listing-ahead/listing-thread.ts',
  'run-work': 'src/app/run-work-thread.ts',
  'inspect-thread': 'src/app/inspect-thread.ts',
  'index-writer': 'src/engine/embedded/writer/writer-thread.ts',
  'index-reader': 'src/engine/embedded/search/reader-thread.ts',
  'index-repair': 'src/engine/embedded/repair/repair-thread.ts',
  'pattern-search': 'src/ingest/filter/search-thread-entry.ts',
  sandbox: 'src/extract/runtime/sandbox/sandbox-main.ts',
  broker: 'src/extract/runtime/broker/broker-main.ts',
  'database-copy': 'src/operations/backup/database-copy-main.ts',
  'tesseract-js': 'src/extract/ocr/tesseract-js/tesseract-js-main.ts',
};

/** Starts that run on kept code: the threads of the main process. What reads documents must have no part in it. */
const KEPT = ['crawler', 'crawl-thread', 'run-work', 'inspect-thread', 'index-writer', 'index-reader'];
const CODE_CACHE = { 'code-cache': 'src/base/code-cache/keep-compiled-code.ts' };
const keepingCode = (name) => `require('./code-cache.cjs').keepCompiledCode('${name}', __dirname);\n`;

/** Packages that are installed beside the bundle: the one has programs of several platforms, the other a file of its own. */
export const PACKAGES = ['@photostructure/sqlite', '@embedpdf/pdfium'];

/** What packages use when it is there: ssh2 what has to be compiled, debug what only the tools of this project bring along. */
const ABSENT = ['cpu-features', '*.node', 'supports-color'];

/** How code is written: the names of our own code stay, and so do lines of a usual length: a stack trace says where it was. */
const STYLE = {
  platform: 'node',
  target: 'node20.19',
  charset: 'utf8',
  legalComments: 'none',
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 1200,
};

/** What is started or imported by these names is an ES module. */
const PROGRAM = "#!/usr/bin/env node\nimport './crawler.cjs';\n";
const library = (names) =>
  `import library from './index.cjs';\nexport const { ${names.sort().join(', ')} } = library;\n`;

/**
 * What nearly every thread and command reads is one chunk: left to itself, esbuild makes a chunk of every group of modules
 * that the same entries import, dozens of a few hundred bytes, and each thread opens every one of them. Those that every
 * command reads are small as well.
 */
const SHARED =
  /^src\/(?:(?:base|model)\/|cli\/exit-codes\.ts|search\/sort-order\.ts|settings\/config-dir\.ts|state\/private-files\.ts)/;

/** @returns esbuild's metafile: which output holds how much of which file */
export async function bundle(folder) {
  const { metafile } = await build({
    ...options(folder),
    plugins: [fromSource, withoutUnused, shortNames],
    write: false,
  });
  const plugins = [fromSource, withoutUnused, shortNames, togetherWith(sharedModules(metafile))];
  const built = await build({ ...options(folder), plugins, write: false });
  // By itself: it is read before any chunk is.
  const cache = await build({ ...options(folder), entryPoints: CODE_CACHE, splitting: false, write: false });
  await mkdir(join(folder, 'lib'), { recursive: true });
  for (const { path, text } of [...built.outputFiles, ...cache.outputFiles]) {
    const name = basename(path, '.cjs');
    const code = await toCommonJs(withoutHead(text), STYLE);
    await writeFile(path, KEPT.includes(name) ? keepingCode(name) + code : code);
  }
  await writeFile(join(folder, 'lib', 'crawler.js'), PROGRAM);
  await writeFile(join(folder, 'lib', 'index.js'), library(exportsOf(built.metafile, 'index.cjs')));
  return built.metafile;
}

const withoutHead = (text) => text.replace(/^#!.*\n/, '');

const exportsOf = ({ outputs }, name) =>
  Object.entries(outputs).find(([path]) => path.endsWith(`/lib/${name}`))[1].exports;

function options(folder) {
  return {
    ...STYLE,
    absWorkingDir: root,
    entryPoints: ENTRIES,
    outdir: join(folder, 'lib'),
    chunkNames: 'chunk-[hash]',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    splitting: true,
    // The paths of packages are part of the output: they must not depend on where node_modules really is.
    preserveSymlinks: true,
    // Only these are split into chunks (see to-common-js.mjs).
    format: 'esm',
    metafile: true,
    external: [...PACKAGES, ...PACKAGES.map((name) => `${name}/*`), ...ABSENT],
    define: { CRAWLER_IS_BUNDLED: 'true' },
    logLevel: 'warning',
    logOverride: { 'require-resolve-not-external': 'silent' },
  };
}

/** Those of SHARED that need nothing outside it: whoever reads them reads no package. */
function sharedModules({ inputs }) {
  const isShared = (path, seen = new Set()) => {
    if (seen.has(path)) return true;
    seen.add(path);
    return SHARED.test(path) && inputs[path].imports.filter(isStatic).every((each) => isShared(each.path, seen));
  };
  return new Set(Object.keys(inputs).filter((path) => isShared(path)));
}

const isStatic = ({ kind, path, external }) => kind === 'import-statement' && !(external && path.startsWith('node:'));

/** Every module imports all of these, so that esbuild finds the same entries for each of them. What nobody uses is left out. */
function togetherWith(modules) {
  const paths = [...modules].sort().map((path) => JSON.stringify(join(root, path)));
  return {
    name: 'together',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^shared-modules$/ }, () => ({ path: 'shared', namespace: 'shared' }));
      onLoad({ filter: /./, namespace: 'shared' }, () => ({
        resolveDir: root,
        contents: paths.map((path) => `import ${path};`).join('\n'),
      }));
      onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        if (modules.has(relative(root, path))) return undefined;
        return { contents: `${await readFile(path, 'utf8')}\nimport 'shared-modules';`, loader: 'ts' };
      });
    },
  };
}

/** bin/crawler.js starts the compiled program; the bundle is made of its source. */
const fromSource = {
  name: 'from-source',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/dist\/.*\.js$/ }, ({ path }) => ({
      path: join(root, path.replace(/^\.\.\/dist\/(.*)\.js$/, 'src/$1.ts')),
    }));
  },
};

/**
 * Inside the functions of packages names are short, which makes the published package 80 kB smaller. What a CommonJS module
 * declares keeps its name, for stack traces and for packages that look at the names of their classes. Of ES modules all names
 * become short, so only those of packages are shortened that look at none.
 */
const shortNames = {
  name: 'short-names',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, async ({ path }) => {
      const known = shortened.get(path);
      if (known !== undefined) return { contents: known, loader: 'js' };
      const source = await readFile(path, 'utf8');
      if (isModule(path, source) && !ANY_NAME.test(path)) return undefined;
      const { code } = await transform(source, { minifyIdentifiers: true, charset: 'utf8', sourcefile: path });
      shortened.set(path, code);
      return { contents: code, loader: 'js' };
    });
  },
};

const ANY_NAME =
  /\/node_modules\/(?:@modelcontextprotocol|entities|file-type|htmlparser2|jschardet|music-metadata|postal-mime|re2js|strtok3|token-types|uint8array-extras|zod)\//;
/** The bundle is made twice. */
const shortened = new Map();

const isModule = (path, source) =>
  path.endsWith('.mjs') || (!path.endsWith('.cjs') && /^\s*(?:import|export)[\s{*]/m.test(source));

/**
 * What packages bring for a work that is never asked of them here, by its path in imports: what checks forms that a server sends
 * to people (@modelcontextprotocol/server; 50 kB compressed), what writes XML when a document is encrypted, and all ciphers
 * but those of old Office documents (officecrypto-tool; 20 kB and 17 kB).
 */
const UNUSED = {
  '@modelcontextprotocol/server/_shims': `export { default as process } from 'node:process';
export class DefaultJsonSchemaValidator {
  getValidator() { throw new Error('Forms are not supported.'); }
}`,
  xmlbuilder: `export function create() { throw new Error('XML is not written here.'); }`,
  'crypto-js': `require('crypto-js/lib-typedarrays');
require('crypto-js/md5');
require('crypto-js/sha1');
require('crypto-js/rc4');
module.exports = require('crypto-js/core');`,
};

const withoutUnused = {
  name: 'without-unused',
  setup({ onLoad, onResolve }) {
    const filter = new RegExp(`^(?:${Object.keys(UNUSED).join('|')})$`);
    onResolve({ filter }, ({ path }) => ({ path, namespace: 'unused' }));
    onLoad({ filter: /./, namespace: 'unused' }, ({ path }) => ({ contents: UNUSED[path], resolveDir: root }));
  },
};

/** Lines of `bytes in the bundle, of them compressed, package`, the largest first. */
function costs({ outputs }) {
  const costs = new Map();
  for (const [path, { bytes, inputs }] of Object.entries(outputs)) {
    const compressed = gzipSync(readFileSync(join(root, path)), { level: 9 }).length;
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const name = packageOf(input)?.replace(/^.*node_modules\//, '') ?? 'document-crawler';
      const cost = costs.get(name) ?? { bytes: 0, compressed: 0 };
      cost.bytes += bytesInOutput;
      cost.compressed += (compressed * bytesInOutput) / bytes;
      costs.set(name, cost);
    }
  }
  return [...costs]
    .sort(([, a], [, b]) => b.compressed - a.compressed)
    .map(([name, { bytes, compressed }]) => `${kilobytes(bytes)} ${kilobytes(compressed)}  ${name}`);
}

const kilobytes = (bytes) => `${Math.round(bytes / 1000).toLocaleString('en')} kB`.padStart(10);

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = resolve(process.argv[2] ?? 'build/package');
  const lines = costs(await bundle(folder));
  console.log(
    `${relative(process.cwd(), join(folder, 'lib'))}: size, compressed (about), package\n${lines.join('\n')}`,
  );
}
