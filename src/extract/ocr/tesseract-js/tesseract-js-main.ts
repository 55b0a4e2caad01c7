import { createRequire } from 'node:module';
import { join } from 'node:path';
import { messageOf } from '../../../base/errors.js';
import { ignoreStopSignals } from '../../../base/ignore-stop-signals.js';
import { bytesFrame, FrameReader } from '../../frames/frames.js';
import { writeAll } from '../../frames/blocking-io.js';
import { requestFrames, resultFrames, type HowToRecognise, type TesseractJsSetup } from './protocol.js';

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
const STANDARD_OUTPUT = 1;

const setup = JSON.parse(process.argv[2] ?? '{}') as TesseractJsSetup;
const frames = new FrameReader(() => Number.POSITIVE_INFINITY);
let how: HowToRecognise = { parameters: {}, output: 'text' };
let loading: Promise<LibraryWorker> | undefined;

ignoreStopSignals();
// The library remarks on every picture; only answers leave the process.
process.stdout.write = () => true;
process.stdin.on('end', () => process.exit(0));
process.stdin.on('data', (chunk: Buffer) => {
  frames.add(chunk);
  for (let frame = frames.next(); frame !== undefined; frame = frames.next()) {
    if (frame.kind === requestFrames.how) how = JSON.parse(frame.bytes.toString()) as HowToRecognise;
    else void answer(Buffer.from(frame.bytes));
  }
});

async function answer(image: Buffer): Promise<void> {
  try {
    const worker = await (loading ??= load());
    await worker.setParameters(how.parameters);
    const { output } = how;
    const { data } = await worker.recognize(image, {}, { text: output === 'text', hocr: output === 'hocr' });
    send(resultFrames.text, (output === 'hocr' ? data.hocr : data.text) ?? '');
  } catch (error) {
    if (loading !== undefined && !(await isLoaded(loading))) loading = undefined;
    send(resultFrames.fault, messageOf(error));
  }
}

function send(kind: number, text: string): void {
  for (const piece of bytesFrame(kind, Buffer.from(text))) writeAll(STANDARD_OUTPUT, piece);
}

/** After a failure, loading is attempted again with the next picture. */
function isLoaded(worker: Promise<LibraryWorker>): Promise<boolean> {
  return worker.then(
    () => true,
    () => false,
  );
}

function load(): Promise<LibraryWorker> {
  const { folder, languages, data, isPacked } = setup;
  const library = createRequire(join(folder, 'package.json'))(folder) as Library;
  return library.createWorker(languages, NEURAL_NETWORK, {
    langPath: data,
    gzip: isPacked,
    // No cache in the working directory.
    cacheMethod: 'none',
    errorHandler: () => undefined,
  });
}
