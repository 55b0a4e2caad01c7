import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { messageOf } from '../../../base/errors.js';
import { ignoreStopSignals } from '../../../base/ignore-stop-signals.js';
import type { FromTesseractJs, LanguageFile, TesseractJsSetup, ToTesseractJs } from './protocol.js';

/**
 * The program of the process that runs tesseract.js. It loads the language data with the first picture and ends with its
 * parent. The library runs in a thread of its own, so that this one always notices when the parent ends.
 */
interface Library {
  createWorker(languages: readonly string[], mode: number, options: object): Promise<LibraryWorker>;
}

interface LibraryWorker {
  setParameters(parameters: Readonly<Record<string, string>>): Promise<unknown>;
  recognize(image: Buffer, options: object, output: object): Promise<{ data: { text: string; hocr: string | null } }>;
}

/** Only the neural network: the data packages contain nothing else. */
const NEURAL_NETWORK = 1;

const setup = JSON.parse(process.argv[2] ?? '{}') as TesseractJsSetup;
let loading: Promise<LibraryWorker> | undefined;

ignoreStopSignals();
process.on('disconnect', () => process.exit(0));
process.on('message', (message: ToTesseractJs) => {
  void answer(message).then((reply) => process.send?.(reply));
});

async function answer({ bytes, parameters, output }: ToTesseractJs): Promise<FromTesseractJs> {
  try {
    const worker = await (loading ??= load());
    await worker.setParameters(parameters);
    const image = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const { data } = await worker.recognize(image, {}, { text: output === 'text', hocr: output === 'hocr' });
    return { text: (output === 'hocr' ? data.hocr : data.text) ?? '' };
  } catch (error) {
    if (loading !== undefined && !(await isLoaded(loading))) loading = undefined;
    return { fault: messageOf(error) };
  }
}

/** After a failure, loading is attempted again with the next picture. */
function isLoaded(worker: Promise<LibraryWorker>): Promise<boolean> {
  return worker.then(
    () => true,
    () => false,
  );
}

/** The library expects all languages in one folder, either all compressed or none. */
async function load(): Promise<LibraryWorker> {
  const library = createRequire(join(setup.folder, 'package.json'))(setup.folder) as Library;
  const [first] = setup.languages;
  if (first === undefined) throw new Error('No language was given.');
  const folders = new Set(setup.languages.map(({ path }) => dirname(path)));
  if (folders.size === 1 && setup.languages.every(({ path }) => isPacked(path) === isPacked(first.path))) {
    return createWorker(library, dirname(first.path), isPacked(first.path));
  }
  const together = mkdtempSync(join(tmpdir(), 'crawler-ocr-'));
  try {
    for (const { language, path } of setup.languages) symlinkSync(path, join(together, `${language}.traineddata.gz`));
    return await createWorker(library, together, true);
  } finally {
    rmSync(together, { recursive: true, force: true });
  }
}

/** `gzip` affects only the name; the library detects compression by the content. */
function createWorker(library: Library, langPath: string, gzip: boolean): Promise<LibraryWorker> {
  const languages = setup.languages.map(({ language }) => language);
  return library.createWorker(languages, NEURAL_NETWORK, {
    langPath,
    gzip,
    // No cache in the working directory.
    cacheMethod: 'none',
    errorHandler: () => undefined,
  });
}

function isPacked(path: LanguageFile['path']): boolean {
  return path.endsWith('.gz');
}
