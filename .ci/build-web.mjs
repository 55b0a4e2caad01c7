// The pages of the browser: `node .ci/build-web.mjs [folder]` writes them into dist/web. Names of scripts and styles hold a
// hash of their content, so that a browser may keep them for good.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './package/root.mjs';

const SOURCE = join(root, 'src', 'web');

/** @returns esbuild's metafile */
export async function buildWeb(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      search: 'src/web/search/main.tsx',
      operator: 'src/web/operator/main.tsx',
      style: 'src/web/style/style.css',
    },
    outdir: folder,
    entryNames: '[name]-[hash]',
    // What both pages need is one file.
    chunkNames: 'shared-[hash]',
    splitting: true,
    bundle: true,
    preserveSymlinks: true,
    format: 'esm',
    target: ['chrome123', 'firefox121', 'safari17.5'],
    charset: 'utf8',
    legalComments: 'none',
    minify: true,
    metafile: true,
    tsconfig: 'src/web/tsconfig.json',
    logLevel: 'warning',
  });
  const outputs = Object.keys(metafile.outputs).map((path) => basename(path));
  const icon = readFileSync(join(SOURCE, 'icon.svg'));
  const iconName = `icon-${createHash('sha256').update(icon).digest('hex').slice(0, 8).toUpperCase()}.svg`;
  writeFileSync(join(folder, iconName), icon);
  for (const [page, file] of Object.entries({ search: 'index.html', operator: 'operator.html' })) {
    const names = {
      icon: iconName,
      style: outputs.find((name) => name.endsWith('.css')),
      script: outputs.find((name) => name.startsWith(`${page}-`)),
      shared: outputs.find((name) => name.startsWith('shared-')),
    };
    const html = readFileSync(join(SOURCE, `${page}.html`), 'utf8').replace(/\{(\w+)\}/g, (_, name) => names[name]);
    writeFileSync(join(folder, file), html);
  }
  return metafile;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await buildWeb(resolve(process.argv[2] ?? join(root, 'dist', 'web')));
}
