import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { openExtractor } from '../../../src/extract/open-extractor.js';
import type { Extraction, ExtractorService } from '../../../src/extract/extraction.js';
import { loadSettings } from '../../../src/settings/load-settings.js';
import { requestFor } from '../../support/extraction-request.js';
import { FakeTesseract, ocrOn } from '../../support/fake-tesseract.js';
import { until } from '../../support/misbehaving-sandbox.js';
import { pictureOfText, toPng } from '../../support/picture-of-text.js';
import { RecordingLogger } from '../../support/recording-logger.js';
import { tempDir } from '../../support/temp-dir.js';

/** Programs that read pictures are isolated as the processes that read documents; here is what happens when they cannot be. */
const root = tempDir();
const never = new AbortController().signal;
let extractor: ExtractorService | undefined;

afterEach(async () => {
  await extractor?.close();
  extractor = undefined;
});

async function open(
  sandbox: 'strict' | 'best' | 'off',
  path: string,
  logger: RecordingLogger,
): Promise<ExtractorService> {
  const overrides = [`fs.ocr.path=${path}`, 'extractor.processes=1', `extractor.sandbox=${sandbox}`];
  const { settings } = loadSettings({ configDir: root, job: 'job', env: {}, overrides, fsJavaOpts: undefined });
  // A language without a package of tesseract.js, which would take over.
  const ocr = { ...settings.fs.ocr, language: 'osd' };
  extractor = await openExtractor({ ...settings, fs: { ...settings.fs, ocr } }, logger);
  return extractor;
}

/** A script: it cannot be isolated, since it needs a shell and whatever else it calls. */
function wrapperScript(): FakeTesseract {
  return new FakeTesseract(mkdtempSync(join(root, 'bin-')), 'echo recognised words');
}

async function twice(service: ExtractorService, { options }: FakeTesseract): Promise<Extraction[]> {
  const ocr = { ...options, language: 'osd' };
  const extract = (name: string): Promise<Extraction> =>
    service.extract(requestFor(name, { path: 'test/corpus/ocr/words.gif' }, { ocr }), never);
  return [await extract('a.gif'), await extract('b.gif')];
}

test('with strict a program that cannot be isolated is not started, and one line warns of that', async () => {
  const tesseract = wrapperScript();
  const logger = new RecordingLogger();
  const [first, second] = await twice(await open('strict', tesseract.path, logger), tesseract);
  await until(() => logger.messages('warn').length > 0);
  expect(first?.text).toBe('');
  expect(second?.text).toBe('');
  expect(first?.problem).toBeUndefined();
  expect(tesseract.calls).toEqual([]);
  expect(logger.messages('warn')).toEqual([
    expect.stringMatching(/is not recognised\. tesseract \[.*\] does not start in the sandbox/),
  ]);
});

test('with best it is started without isolation, and one line says so', async () => {
  const tesseract = wrapperScript();
  const logger = new RecordingLogger();
  const [first, second] = await twice(await open('best', tesseract.path, logger), tesseract);
  await until(() => logger.messages('warn').length > 0);
  expect(first?.text).toContain('recognised words');
  expect(second?.text).toContain('recognised words');
  expect(logger.messages('warn')).toEqual([expect.stringMatching(/it reads pictures with the rights of the crawler/)]);
});

test('with off nothing is said', async () => {
  const tesseract = wrapperScript();
  const logger = new RecordingLogger();
  const [first] = await twice(await open('off', tesseract.path, logger), tesseract);
  await until(() => logger.messages('info').length > 0);
  expect(first?.text).toContain('recognised words');
  expect(logger.messages('warn')).toEqual([]);
});

/** Whether this process has started it, or one that this process has started. */
function isOurs(pid: number): boolean {
  const parent = Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]);
  return parent === process.pid || (parent > 1 && isOurs(parent));
}

/** What the kernel says of each process that runs tesseract.js: whether its system calls are filtered. */
function filtersOfTesseractJs(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
      const isIt =
        /node[^/]*$/.test(words[0] ?? '') && words.some((each) => /tesseract-js(?:-main\.js|\.cjs)$/.test(each));
      return isIt && isOurs(Number(pid))
        ? [/^Seccomp:\s*(\d)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? '']
        : [];
    } catch {
      return [];
    }
  });
}

test('tesseract.js is isolated, and recognises the same', async () => {
  const picture = toPng(await pictureOfText('Scanned words'));
  const ocr = { ...ocrOn, path: join(root, 'missing') };
  const seen = new Set<string>();
  const recognise = async (sandbox: 'strict' | 'off'): Promise<Extraction> => {
    const service = await open(sandbox, ocr.path, new RecordingLogger());
    const timer = setInterval(() => filtersOfTesseractJs().forEach((each) => seen.add(each)), 20);
    const result = await service.extract(requestFor('a.png', picture, { ocr }), never);
    clearInterval(timer);
    await service.close();
    return result;
  };
  const isolated = await recognise('strict');
  expect([...seen]).toEqual(['2']);
  expect(isolated.text).toContain('Scanned words');
  expect(await recognise('off')).toEqual(isolated);
}, 120_000);
