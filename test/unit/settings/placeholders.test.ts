import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { resolvePlaceholders } from '../../../src/settings/placeholders.js';
import { JobFolder } from './job-folder.js';

describe('a placeholder', () => {
  const lookup = (name: string): string | undefined => ({ A: 'one', B: 'two', EMPTY: '', two: 'nested' })[name];

  test.each([
    ['${A}', 'one'],
    ['x${A}y${B}z', 'xoneytwoz'],
    ['${ A }', 'one'],
    ['${C:=three}', 'three'],
    ['${C:=}', ''],
    ['${EMPTY}', ''],
    ['${EMPTY:=otherwise}', 'otherwise'],
    ['${C:=https://127.0.0.1:9200}', 'https://127.0.0.1:9200'],
    ['${C:=${D:=deep}}', 'deep'],
    ['${C:=${A}/${B}}', 'one/two'],
    ['${${B}}', 'nested'],
    ['\\${A} ${A}', '${A} one'],
    ['costs 5$ {A}', 'costs 5$ {A}'],
    ['${A', '${A'],
    ['$$${A}', '$$one'],
  ])('%j becomes %j', (text, resolved) => {
    expect(resolvePlaceholders(text, lookup)).toBe(resolved);
  });

  test('without a value is named', () => {
    expect(() => resolvePlaceholders('a ${NOPE} b', lookup)).toThrow(
      new RangeError(
        'the placeholder ${NOPE} has no value. Set the environment variable NOPE, or write ${NOPE:=value} to give it one here.',
      ),
    );
  });

  test('is never found in a text without its opening', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('${')),
        (text) => expect(resolvePlaceholders(text, lookup)).toBe(text),
      ),
    );
  });
});

describe('in settings', () => {
  let folder: JobFolder;
  beforeEach(() => {
    folder = new JobFolder();
  });
  afterEach(() => folder.remove());

  test('placeholders stand for variables, then -D properties, then other settings', () => {
    const { settings } = folder.loadYaml(
      [
        'name: "${JOB}"',
        'fs:',
        '  url: "${ROOT}/docs"',
        '  watch: "${WATCH:=true}"',
        '  temp_dir: "${fs.url}/.tmp"',
        '  includes: ["*.${EXT}", "${sys:EXT}"]',
        'engine:',
        '  urls: "${NODES}"',
        '  index: "${env:JOB}-${elasticsearch.bulk_size}"',
        '  pipeline: "${fs.includes}"',
      ].join('\n'),
      {
        env: { JOB: 'a', NODES: 'http://a:9200,http://b:9200', EXT: 'pdf' },
        fsJavaOpts: '-DROOT=/data -DEXT=doc -DJOB=b',
      },
    );
    expect(settings).toMatchObject({
      name: 'a',
      fs: { url: '/data/docs', watch: true, tempDir: '/data/docs/.tmp', includes: ['*.pdf', 'doc'] },
      engine: {
        urls: ['http://a:9200', 'http://b:9200'],
        index: 'a-100',
        indexFolder: 'a_folder',
        pipeline: '*.pdf,doc',
      },
    });
  });

  test('placeholders are filled in for passwords too', () => {
    const { settings } = folder.loadYaml(
      'passwords:\n  provider: static\n  providers:\n    static:\n      values: ["${PDF}", "plain@{secret}"]\n',
      { env: { PDF: 'p w' } },
    );
    expect(settings.passwords.providers.static.values).toEqual(['p w', 'plain@{secret}']);
  });

  test('the mark of a secret is cut off elsewhere', () => {
    const { settings } = folder.loadYaml('engine.api_key: "${KEY}@{secret}"\nserver.password: "x@{secret}"\n', {
      env: { KEY: 'k' },
    });
    expect(settings).toMatchObject({ engine: { apiKey: 'k' }, server: { password: 'x' } });
  });

  test('defaults that refer to the name mean the setting, not a variable of that name', () => {
    expect(folder.loadYaml('', { env: { name: 'wrong' } }).settings.engine.index).toBe('my_job_docs');
  });

  test('a value that is empty in the end counts as not given', () => {
    const { settings } = folder.loadYaml('engine:\n  api_key: "${KEY:=}"\nfs:\n  update_rate: "${RATE:=}"\n');
    expect(settings.engine.apiKey).toBeUndefined();
    expect(settings.fs.updateRateMs).toBe(900_000);
  });

  test('a placeholder without a value is refused with file, line and key', () => {
    expect(folder.problemsOf('fs:\n  url: "${NOPE}/docs"\n')).toEqual([
      '_settings.yaml:2: fs.url: the placeholder ${NOPE} has no value. Set the environment variable NOPE, or write ${NOPE:=value} to give it one here.',
    ]);
  });

  test('a placeholder in a value that another source replaces does not matter', () => {
    const { settings } = folder.loadYaml('fs:\n  url: "${NOPE}/docs"\n', { overrides: ['fs.url=/data'] });
    expect(settings.fs.url).toBe('/data');
  });

  test('placeholders in a circle are refused', () => {
    const [problem] = folder.problemsOf('engine:\n  index: "${engine.pipeline}"\n  pipeline: "${engine.index}"\n');
    expect(problem).toBe('_settings.yaml:2: engine.index: the placeholder of engine.index leads back to itself.');
  });
});
