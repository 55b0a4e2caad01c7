import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { announceOcr } from '../../../src/extract/announce-ocr.js';
import { silentLogger } from '../../../src/base/logger.js';
import { FakeTesseract } from '../../support/fake-tesseract.js';
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
