import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import { announceOcr } from '../../../src/extract/announce-ocr.js';
import { openExtractor } from '../../../src/extract/open-extractor.js';
import { loadSettings } from '../../../src/settings/load-settings.js';
import { requestFor } from '../../support/extraction-request.js';
import { FakeTesseract } from '../../support/fake-tesseract.js';
import { until } from '../../support/misbehaving-sandbox.js';
import { RecordingLogger } from '../../support/recording-logger.js';
import { tempDir } from '../../support/temp-dir.js';

const root = tempDir();

function fake(): FakeTesseract {
  return new FakeTesseract(mkdtempSync(join(root, 'bin-')), 'echo words', { version: '5.3.0' });
}

test('one line says what reads the text in pictures', async () => {
  const logger = new RecordingLogger();
  await announceOcr(fake().options, logger);
  expect(logger.lines).toEqual([
    { level: 'info', message: 'Text in pictures is recognised by tesseract 5.3.0 [eng].' },
  ]);
});

test('a language that is missing is said once more, as a warning', async () => {
  const logger = new RecordingLogger();
  await announceOcr({ ...fake().options, language: 'eng+tlh' }, logger);
  expect(logger.messages('info')).toHaveLength(1);
  expect(logger.messages('warn')).toEqual([expect.stringContaining('no data for the language [tlh]')]);
});

test('one line says what to install when nothing can be used', async () => {
  const logger = new RecordingLogger();
  await announceOcr({ ...fake().options, language: 'tlh' }, logger);
  expect(logger.lines).toHaveLength(1);
  expect(logger.messages('info')[0]).toMatch(
    /^Text in pictures and scanned pages is not recognised\. .*apt-get install tesseract-ocr-tlh.*npm install/,
  );
});

test('nothing is said, and nothing is started, when recognition is off or nobody listens', async () => {
  const logger = new RecordingLogger();
  await announceOcr({ ...fake().options, enabled: false }, logger);
  await announceOcr(fake().options, silentLogger);
  expect(logger.lines).toEqual([]);
});

test('a job says it with the first document that may hold a picture, and starts no program for texts', async () => {
  const tesseract = fake();
  const logger = new RecordingLogger();
  const overrides = [`fs.ocr.path=${tesseract.path}`, 'extractor.processes=1'];
  const { settings } = loadSettings({ configDir: root, job: 'job', env: {}, overrides, fsJavaOpts: undefined });
  const extractor = await openExtractor(settings, logger);
  const extract = (name: string, content: string | { path: string }): Promise<unknown> =>
    extractor.extract(requestFor(name, content), new AbortController().signal);
  try {
    await extract('a.txt', 'only words');
    await extract('a.json', '{"only": "words"}');
    expect(logger.lines).toEqual([]);
    await extract('a.gif', { path: 'test/corpus/ocr/words.gif' });
    await extract('b.gif', { path: 'test/corpus/ocr/words.gif' });
  } finally {
    await extractor.close();
  }
  await until(() => logger.lines.length > 0);
  expect(logger.messages('info')).toEqual(['Text in pictures is recognised by tesseract 5.3.0 [eng].']);
});
