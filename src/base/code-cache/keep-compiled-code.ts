import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import { readCode, writeCode, type CompiledModule } from './code-file.js';
import { codeFolder } from './code-folder.js';

/**
 * Keeps what V8 has compiled of the published program for its next start, which takes a fifth less processor time with it. Each
 * thread of the main process has a file of its own: the modules that it has read, with the functions that it has called.
 *
 * V8 runs kept code whatever the source says that it was made from. So the folder belongs to this user alone (code-folder.ts),
 * and no process that reads documents has a part in it. Where anything is not as it should be, the program starts as without.
 *
 * Node has a cache of its own since version 22; this one also works in Node 20.
 *
 * @param thread the name of the file
 * @param library the folder of the modules: CommonJS, without `import()` and `require.resolve`
 */
export function keepCompiledCode(thread: string, library: string): void {
  const folder = codeFolder(library);
  if (folder === undefined) return;
  const cache = new CodeCache(join(folder, `${thread}.v8`), library);
  const { extensions } = createRequire(join(library, 'any.cjs')) as unknown as LoadersByExtension;
  const usual = extensions['.js'];
  extensions['.cjs'] = (module, path) => {
    if (dirname(path) === library) cache.run(module, path);
    else usual(module, path);
  };
  process.once('exit', () => {
    try {
      cache.save();
    } catch {
      // A disk that is full or may not be written to: the next start compiles again.
    }
  });
}

/** Deprecated for years, and the only way that Node 20 has; it loads its own modules by it, so that it will not go. */
interface LoadersByExtension {
  readonly extensions: { '.js': Loader; '.cjs'?: Loader };
}

type Loader = (module: LoadingModule, path: string) => void;

interface LoadingModule {
  readonly exports: unknown;
  require(id: string): unknown;
}

/** As Node wraps CommonJS modules. */
const HEAD = '(function (exports, require, module, __filename, __dirname) { ';

interface LoadedModule {
  readonly source: number;
  readonly script: Script;
}

class CodeCache {
  readonly #path: string;
  readonly #library: string;
  readonly #kept: ReadonlyMap<string, CompiledModule>;
  readonly #loaded = new Map<string, LoadedModule>();
  #hasNews = false;

  constructor(path: string, library: string) {
    this.#path = path;
    this.#library = library;
    this.#kept = readCode(path);
  }

  run(module: LoadingModule, path: string): void {
    const text = readFileSync(path, 'utf8');
    const source = crc32(text);
    const cachedData = this.#codeOf(basename(path), source);
    const script = new Script(`${HEAD}${text}\n})`, { filename: path, columnOffset: -HEAD.length, cachedData });
    // V8 rejects what another release of it has made, and what was made under other flags.
    if (cachedData === undefined || script.cachedDataRejected === true) this.#hasNews = true;
    this.#loaded.set(basename(path), { source, script });
    const run = script.runInThisContext() as (...values: unknown[]) => void;
    run.call(module.exports, module.exports, (id: string): unknown => module.require(id), module, path, dirname(path));
  }

  #codeOf(name: string, source: number): Buffer | undefined {
    const kept = this.#kept.get(name);
    return kept?.source === source && kept.checksum === crc32(kept.code) ? kept.code : undefined;
  }

  /** What this run has loaded, and what earlier ones have and this one did not need. */
  save(): void {
    if (!this.#hasNews) return;
    const modules = new Map(this.#kept);
    for (const [name, { source, script }] of this.#loaded) {
      const code = script.createCachedData();
      modules.set(name, { source, checksum: crc32(code), code });
    }
    // A job has more threads than the main one. Who asks for help, or mistypes a command, is left with nothing on the disk.
    writeCode(this.#path, modules, { library: this.#library, makesFolder: !isMainThread });
  }
}
