import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { settingRows } from '../../../src/settings/setting-table.js';
import { JobFolder } from './job-folder.js';

let folder: JobFolder;
beforeEach(() => {
  folder = new JobFolder();
});
afterEach(() => folder.remove());

describe('a key', () => {
  test.each([
    'tags:\n  meta_filename: x.yml',
    'tags:\n  metaFilename: x.yml',
    'tags:\n  meta-filename: x.yml',
    'TAGS:\n  META_FILENAME: x.yml',
    'tags.meta_filename: x.yml',
    '"tags.metaFilename": x.yml',
    '{"tags": {"metafilename": "x.yml"}}',
  ])('matches in any case and style: %j', (text) => {
    const { settings, originOf } = folder.loadYaml(text);
    expect(settings.tags.metaFilename).toBe('x.yml');
    expect(originOf('tags.metaFilename')).toMatch(/^_settings\.yaml:\d$/);
  });

  test('may hold the dots of nested sections', () => {
    const { settings } = folder.loadYaml('fs:\n  ocr.enabled: false\n  ocr:\n    language: deu\n');
    expect(settings.fs.ocr).toMatchObject({ enabled: false, language: 'deu' });
  });

  test.each([
    ['fs:\n  update_rte: 5m\n', 2, 'fs.update_rte', 'fs.update_rate'],
    ['fs:\n  ocr:\n    langauge: deu\n', 3, 'fs.ocr.langauge', 'fs.ocr.language'],
    ['elasticsearch:\n  url: http://a\n', 2, 'elasticsearch.url', 'engine.urls'],
    ['engin:\n  urls: []\n', 1, 'engin', 'engine'],
    ['update_rate: 5m\n', 1, 'update_rate', 'fs.update_rate'],
    ['fs:\n  bulk_size: 5\n', 2, 'fs.bulk_size', 'engine.bulk_size'],
    ['rest:\n  uri: http://a\n', 2, 'rest.uri', 'rest.url'],
    ['fs:\n  url:\n    deep: 1\n', undefined, '', ''],
  ])('with a misprint is refused with its place and the nearest key: %j', (text, line, key, nearest) => {
    const problems = folder.problemsOf(text);
    if (line === undefined) expect(problems).toEqual([expect.stringMatching(/fs\.url .*A single value is needed/)]);
    else expect(problems).toEqual([`_settings.yaml:${line}: ${key} is not a setting. Did you mean ${nearest}?`]);
  });

  test('unlike any other is refused without a guess', () => {
    expect(folder.problemsOf('wombat_of_the_desert: 1\n')).toEqual([
      '_settings.yaml:1: wombat_of_the_desert is not a setting.',
    ]);
  });

  test('with one letter too much or too little finds the setting that was meant', () => {
    const misprints = fc.constantFrom(...settingRows.map((row) => row.path)).chain((path) =>
      fc.record({
        path: fc.constant(path),
        at: fc.integer({ min: path.lastIndexOf('.') + 2, max: path.length }),
      }),
    );
    fc.assert(
      fc.property(misprints, ({ path, at }) => {
        const [problem] = folder.problemsOf(`${path.slice(0, at)}q${path.slice(at)}: x\n`);
        expect(problem).toMatch(new RegExp(`Did you mean ${path.replaceAll('.', '\\.')}\\?$`));
      }),
      { numRuns: 50 },
    );
  });

  test('problems are reported all at once, in the order of the file', () => {
    const text = 'fs:\n  urll: /x\n  watch: maybe\n  update_rate: 5\nserver:\n  port: 99999\n  prot: 1\n';
    expect(folder.problemsOf(text).map((problem) => problem.split(': ', 1)[0])).toEqual([
      '_settings.yaml:2',
      '_settings.yaml:3',
      '_settings.yaml:4',
      '_settings.yaml:6',
      '_settings.yaml:7',
    ]);
  });
});

describe('the section elasticsearch', () => {
  test('is the section engine', () => {
    const { settings, originOf, warnings } = folder.loadYaml(
      'elasticsearch:\n  urls: ["http://a:9200"]\n  bulk_operation: CREATE\n',
    );
    expect(settings.engine).toMatchObject({ urls: ['http://a:9200'], bulkOperation: 'create' });
    expect(originOf('elasticsearch.urls')).toBe('_settings.yaml:2');
    expect(warnings).toEqual([]);
  });

  test.each([
    'engine:\n  index: e\nelasticsearch:\n  index: x\n  bulk_size: 7\n  urls: ["http://a:9200"]\n',
    'elasticsearch:\n  index: x\n  bulk_size: 7\n  urls: ["http://a:9200"]\nengine:\n  index: e\n',
  ])('is merged with it, and engine wins: %j', (text) => {
    expect(folder.loadYaml(text).settings.engine).toMatchObject({ index: 'e', bulkSize: 7 });
  });

  test('loses against engine in an earlier file of the same job too', () => {
    folder.write('_settings/a.yaml', 'engine.index: e');
    folder.write('_settings/b.yaml', 'elasticsearch.index: x');
    expect(folder.load().settings.engine.index).toBe('e');
  });

  test.each([
    ['elasticsearch:\n  bulk_size: 7\n', '_settings.yaml:1'],
    ['name: x\nelasticsearch:\n  # urls:\n', '_settings.yaml:2'],
    ['engine:\n  api_key: k\n', '_settings.yaml:2'],
  ])('without urls means the embedded index, which is said once: %j', (text, origin) => {
    const { settings, warnings } = folder.loadYaml(text);
    expect(settings.engine.urls).toEqual([]);
    expect(warnings).toEqual([
      `${origin}: no engine.urls are given, so the embedded index is used. For a cluster, set engine.urls (FSCrawler took https://127.0.0.1:9200).`,
    ]);
  });

  test('with an empty list of urls is meant like that', () => {
    expect(folder.loadYaml('elasticsearch:\n  urls: []\n').warnings).toEqual([]);
  });
});

describe('a key of an older FSCrawler', () => {
  test.each([
    ['url', '- url: "http://a:9200"\n    - url: "https://b:9201/es"', ['http://a:9200', 'https://b:9201/es']],
    ['host', '- host: a\n    - host: b\n      port: 9243\n      scheme: HTTPS', ['http://a:9200', 'https://b:9243']],
    ['cloud id', '- cloud_id: "prod:ZXUuY2xvdWQuZXhhbXBsZSRhYmMkZGVm"', ['https://abc.eu.cloud.example']],
    ['text', '- "http://a:9200"', ['http://a:9200']],
    ['placeholder', '- url: "${NODE:=http://c:9200}"', ['http://c:9200']],
  ])('nodes by %s become engine.urls', (_, nodes, urls) => {
    const { settings, warnings, originOf } = folder.loadYaml(`elasticsearch:\n  nodes:\n    ${nodes}\n`);
    expect(settings.engine.urls).toEqual(urls);
    expect(originOf('engine.urls')).toBe('_settings.yaml:2');
    expect(warnings).toEqual([
      '_settings.yaml:2: elasticsearch.nodes has been removed in favor of engine.urls: its addresses are used.',
    ]);
  });

  test('never replaces a setting of today in the same file', () => {
    const text = 'elasticsearch:\n  urls: ["http://now:9200"]\n  nodes:\n    - url: http://then:9200\n';
    expect(folder.loadYaml(text).settings.engine.urls).toEqual(['http://now:9200']);
  });

  test.each([
    ['rest:\n  scheme: HTTP\n  host: "0.0.0.0"\n  port: 9000\n  endpoint: "/docs/"\n', 'http://0.0.0.0:9000/docs'],
    ['rest:\n  port: 9000\n', 'http://127.0.0.1:9000/fscrawler'],
    ['rest:\n  host: h\n  endpoint: ""\n', 'http://h:8080/fscrawler'],
  ])('%j becomes rest.url', (text, url) => {
    const { settings, warnings } = folder.loadYaml(text);
    expect(settings.rest.url).toBe(url);
    expect(warnings).toEqual([expect.stringContaining('in favor of rest.url, which is put together from it.')]);
  });

  test.each([
    ['fs.pdf_ocr: true', { ocr: { pdfStrategy: 'ocr_and_text' } }],
    ['fs.pdf_ocr: false', { ocr: { pdfStrategy: 'no_ocr' } }],
    ['fs.ignore_folders: true', { indexFolders: false }],
    ['fs.follow_symlink: true', { followSymlinks: true }],
    ['fs.base64: true', { storeSource: true }],
    ['fs.ocr.pdf_strategy: noocr', { ocr: { pdfStrategy: 'no_ocr' } }],
  ])('%j means %j', (text, fs) => {
    expect(folder.loadYaml(text).settings.fs).toMatchObject(fs);
  });

  test.each([
    [
      'elasticsearch:\n  type: doc\n  urls: ["http://a"]\n',
      2,
      'elasticsearch.type is ignored: documents have no types any more.',
    ],
    [
      'workplace_search:\n  id: KEY\n  server:\n    url: http://a\n',
      1,
      'workplace_search is ignored: Workplace Search has been discontinued, documents go to the engine.',
    ],
    ['rest:\n  enabled: false\n', 2, 'rest.enabled is ignored: the service is started with --rest.'],
  ])('is ignored with one line: %j', (text, line, warning) => {
    const { warnings } = folder.loadYaml(text);
    expect(warnings).toEqual([`_settings.yaml:${line}: ${warning}`]);
  });

  test.each([
    ['fs.pdf_ocr: maybe', '_settings.yaml:1: fs.pdf_ocr: [maybe] is neither true nor false. Write true or false.'],
    [
      'elasticsearch.nodes: [{port: 9200, password: geheim}]',
      '_settings.yaml:1: elasticsearch.nodes: a node has neither url, cloud_id nor host. Write the addresses as engine.urls.',
    ],
    [
      'elasticsearch.nodes: ["nonsense"]',
      '_settings.yaml:1: elasticsearch.nodes: [nonsense] is not a cloud id. Write the address of the cluster as engine.urls.',
    ],
  ])('with a value nobody can understand is a problem: %j', (text, problem) => {
    expect(folder.problemsOf(text)).toEqual([problem]);
  });
});
