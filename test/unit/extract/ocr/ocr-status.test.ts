import { mkdirSync, mkdtempSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findTesseract } from '../../../../src/extract/ocr/tesseract/find-tesseract.js';
import { ocrStatus } from '../../../../src/extract/ocr/ocr-status.js';
import { FakeTesseract, ocrOn } from '../../../support/fake-tesseract.js';
import { tempDir } from '../../../support/temp-dir.js';

const root = tempDir();

function fake(options: { version?: string; languages?: string[] } = {}): FakeTesseract {
  return new FakeTesseract(mkdtempSync(join(root, 'bin-')), 'echo words', options);
}

test('the program that the settings name is the engine', async () => {
  const program = fake({ version: '5.3.1' });
  expect(await ocrStatus(program.options)).toEqual({
    engine: 'tesseract',
    version: '5.3.1',
    languages: ['eng'],
    remedy: undefined,
  });
});

test('the folder of the program will do as well', async () => {
  const { options, path } = fake();
  expect(await ocrStatus({ ...options, path: dirname(path) })).toMatchObject({ engine: 'tesseract', version: '5.9.9' });
});

test('versions with a letter in front are understood', async () => {
  expect(await ocrStatus(fake({ version: 'v5.3.0.20221214' }).options)).toMatchObject({ version: '5.3.0.20221214' });
});

test('languages without data are left out, with a word about what to install', async () => {
  const { options } = fake({ languages: ['eng', 'deu', 'script/Latin'] });
  const status = await ocrStatus({ ...options, language: 'deu+chi_sim+script/Latin' });
  expect(status).toMatchObject({ engine: 'tesseract', languages: ['deu', 'script/Latin'] });
  expect(status.remedy).toContain('[chi_sim]');
  expect(status.remedy).toContain('tesseract-ocr-chi-sim');
});

test('a folder of language data is part of the question', async () => {
  const { options } = fake({ languages: ['deu'] });
  const { engine, remedy } = await findTesseract({ ...options, dataPath: '/srv/tessdata' });
  expect(engine).toBeUndefined();
  expect(remedy).toContain('[eng] in [/srv/tessdata]');
});

test.each([
  ['a path that leads nowhere', { path: '/does/not/exist' }, 'fs.ocr.path: [/does/not/exist] does not exist.'],
  ['a folder without the program', { path: emptyFolder() }, 'contains no tesseract that can be run'],
  ['a program that is too old', { path: fake({ version: '3.04' }).path }, 'version 4 or newer is needed'],
  ['a program without the language', { path: fake({ languages: ['osd'] }).path }, 'no data for the language [eng]'],
])('%s is no engine, and says why', async (_case, settings, why) => {
  const { engine, remedy } = await findTesseract({ ...ocrOn, ...settings });
  expect(engine).toBeUndefined();
  expect(remedy).toContain(why);
});

test('nothing is missing when recognition is switched off', async () => {
  expect(await ocrStatus({ ...ocrOn, enabled: false, path: '/does/not/exist' })).toEqual({
    engine: 'none',
    version: undefined,
    languages: [],
    remedy: undefined,
  });
});

test('a language that nobody has leaves no engine, and names all ways out', async () => {
  const { options } = fake();
  const status = await ocrStatus({ ...options, language: 'tlh' });
  expect(status).toMatchObject({ engine: 'none', languages: [] });
  expect(status.remedy).toMatch(/apt-get install tesseract-ocr-tlh.*npm install .*@tesseract\.js-data\/tlh/);
});

function emptyFolder(): string {
  const folder = join(root, 'empty');
  mkdirSync(folder, { recursive: true });
  return folder;
}
