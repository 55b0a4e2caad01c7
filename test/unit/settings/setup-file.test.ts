import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { settingRows } from '../../../src/settings/setting-table.js';
import { setupFileText } from '../../../src/settings/setup-file.js';
import { JobFolder } from './job-folder.js';

let folder: JobFolder;
beforeEach(() => {
  folder = new JobFolder();
});
afterEach(() => folder.remove());

/** Takes the mark off every line that holds a setting: remarks begin with a mark and a blank. */
function uncommented(text: string): string {
  return text.replace(/^( *)#(?! [^ ])/gm, '$1');
}

describe('the file of --setup', () => {
  test('equals the defaults, but for SHA-256 and recognition where it is needed', () => {
    const { settings: defaults } = folder.load();
    const { settings, warnings, originOf } = folder.loadYaml(setupFileText());
    const ocr = { ...defaults.fs.ocr, pdfStrategy: 'auto' };
    expect(settings).toEqual({ ...defaults, fs: { ...defaults.fs, hashAlgorithm: 'SHA-256', ocr } });
    expect(warnings).toEqual([]);
    expect(originOf('fs.hash_algorithm')).toMatch(/^_settings\.yaml:\d+$/);
  });

  test('has two live settings', () => {
    const live = setupFileText()
      .split('\n')
      .filter((line) => /^ *[^# ]/.test(line));
    expect(live).toEqual(['fs:', '  hash_algorithm: "SHA-256"', '  ocr:', '    pdf_strategy: "auto"']);
  });

  test('shows every setting once, under its section, ready to be used', () => {
    const tree = parse(uncommented(setupFileText())) as unknown;
    expect(leaves(tree, '')).toEqual(settingRows.map((row) => row.path));
  });

  test('shows sections and settings in the order that users know', () => {
    const tree = parse(uncommented(setupFileText())) as { fs: object };
    expect(Object.keys(tree)).toEqual(['name', 'fs', 'passwords', 'tags', 'server', 'engine', 'rest', 'extractor']);
    expect(Object.keys(tree.fs).slice(0, 6)).toEqual([
      'url',
      'update_rate',
      'includes',
      'excludes',
      'filters',
      'json_support',
    ]);
  });

  test('holds examples that are accepted', () => {
    const missing = ['/path/to/tika-config.xml', '/path/to/metadata.yml', '/path/to/ca.crt'];
    let text = uncommented(setupFileText());
    for (const path of missing) text = text.replace(path, folder.write(path, ''));
    expect(folder.loadYaml(text).settings.engine.urls).toHaveLength(2);
  });

  test('has no line that is too long to read', () => {
    expect(
      Math.max(
        ...setupFileText()
          .split('\n')
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(120);
  });
});

function leaves(node: unknown, path: string): readonly string[] {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return [path];
  return Object.entries(node).flatMap(([key, value]) => leaves(value, path === '' ? key : `${path}.${key}`));
}

test('the file for a folder names it, whatever it is called', () => {
  for (const root of ['/data', '/home/ann/My "Files" (2)', '/odd/${HOME}', '/two\nlines']) {
    expect(folder.loadYaml(setupFileText(root)).settings.fs.url).toBe(root);
  }
});
