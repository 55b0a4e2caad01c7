// The declarations of the library: of src/api/index.ts and of every file whose types it speaks of.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { root } from './root.mjs';

/** Names of dispose are not in every set of types that a program may be compiled with. */
const HEAD = '/// <reference lib="esnext.disposable" />\n';

/** @returns `[path below src, text]` of each declaration file, `api/index.d.ts` first */
export function apiTypes() {
  const texts = new Map();
  const waiting = ['api/index.ts'];
  for (const path of waiting) {
    const text = declarationOf(path);
    texts.set(path.replace(/\.ts$/, '.d.ts'), path === 'api/index.ts' ? HEAD + text : text);
    for (const [, specifier] of text.matchAll(/from '(\.[^']*)\.js'/g)) {
      const imported = join(dirname(path), `${specifier}.ts`).replaceAll('\\', '/');
      if (!waiting.includes(imported)) waiting.push(imported);
    }
  }
  return texts;
}

function declarationOf(path) {
  const { outputText, diagnostics } = ts.transpileDeclaration(readFileSync(join(root, 'src', path), 'utf8'), {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: { target: 'es2022', module: 'nodenext', strict: true, isolatedDeclarations: true },
  });
  const [fault] = diagnostics ?? [];
  if (fault !== undefined) throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(fault.messageText, '\n')}`);
  return outputText;
}
