import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DocumentRules } from '../../../src/ingest/document-rules.js';
import { loadSettings } from '../../../src/settings/load-settings.js';

let configDir: string;

beforeAll(() => {
  configDir = mkdtempSync(join(tmpdir(), 'rules-'));
});
afterAll(() => rmSync(configDir, { recursive: true, force: true }));

function fingerprint(...overrides: string[]): number {
  const { settings } = loadSettings({ configDir, job: 'job', env: {}, overrides, fsJavaOpts: undefined });
  return new DocumentRules(settings, undefined).fingerprint('1', undefined);
}

describe('a change of', () => {
  test.each([
    'fs.update_rate=5m',
    'fs.watch=true',
    'fs.stability=9s',
    'fs.delete_guard=-1',
    'fs.excludes=*.tmp',
    'fs.ignore_above=1mb',
    'fs.ocr.path=/opt/tesseract',
    'fs.ocr.page_timeout=9s',
    'rest.url=http://127.0.0.1:9',
  ])('%s lets documents stand as they are', (override) => {
    expect(fingerprint(override)).toBe(fingerprint());
  });

  test.each([
    'fs.indexed_chars=7',
    'fs.raw_metadata=true',
    'fs.page_numbers=false',
    'fs.ocr.enabled=false',
    'fs.ocr.language=fra',
    'fs.ocr.pdf_strategy=auto',
    'engine.pipeline=other',
  ])('%s makes documents anew', (override) => {
    expect(fingerprint(override)).not.toBe(fingerprint());
  });

  test('how text would be recognised means nothing while that is off', () => {
    expect(fingerprint('fs.ocr.enabled=false', 'fs.ocr.language=fra')).toBe(fingerprint('fs.ocr.enabled=false'));
  });
});
