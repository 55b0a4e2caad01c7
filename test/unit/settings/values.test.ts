import { homedir } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { contentPattern } from '../../../src/settings/filter-pattern.js';
import { JobFolder } from './job-folder.js';

let folder: JobFolder;
beforeEach(() => {
  folder = new JobFolder();
});
afterEach(() => folder.remove());

describe('a value is read as what its setting holds', () => {
  test.each([
    ['fs.update_rate: "5m"', { fs: { updateRateMs: 300_000 } }],
    ['fs.watch: "TRUE"', { fs: { watch: true } }],
    ['fs.ignore_above: 512 MB', { fs: { ignoreAboveBytes: 536_870_912 } }],
    ['fs.ignore_above: -1', { fs: { ignoreAboveBytes: undefined } }],
    ['fs.indexed_chars: "10000.0"', { fs: { indexedChars: { kind: 'absolute', characters: 10_000 } } }],
    ['fs.indexed_chars: -1', { fs: { indexedChars: { kind: 'absolute', characters: -1 } } }],
    ['fs.indexed_chars: 0', { fs: { indexedChars: { kind: 'absolute', characters: 0 } } }],
    ['fs.indexed_chars: 80%', { fs: { indexedChars: { kind: 'percent', percent: 80 } } }],
    ['fs.delete_guard: 50%', { fs: { deleteGuard: { kind: 'percent', percent: 50 } } }],
    ['fs.delete_guard: 20000', { fs: { deleteGuard: { kind: 'documents', documents: 20_000 } } }],
    ['fs.delete_guard: -1', { fs: { deleteGuard: { kind: 'off' } } }],
    ['fs.checksum: sha-512/256', { fs: { checksum: 'sha-512/256' } }],
    ['fs.includes: "*.doc,*.pdf"', { fs: { includes: ['*.doc', '*.pdf'] } }],
    ['fs.includes: ["regex:/a(b|c)/.*"]', { fs: { includes: ['regex:/a(b|c)/.*'] } }],
    ['fs.url: ~/docs', { fs: { url: `${homedir()}/docs` } }],
    ['engine.byte_size: -1', { engine: { byteSize: -1 } }],
    ['engine.start_timeout: -1', { engine: { startTimeoutMs: -1 } }],
    ['engine.bulk_operation: Create', { engine: { bulkOperation: 'create' } }],
    ['server.protocol: LOCAL', { server: { protocol: 'local' } }],
    ['server.password: " a b "', { server: { password: ' a b ' } }],
    ['rest.url: http://0.0.0.0:9000/pre', { rest: { url: 'http://0.0.0.0:9000/pre' } }],
    ['rest.max_upload_size: 1gb', { rest: { maxUploadSize: 1_073_741_824 } }],
    ['rest.api_keys: [a, b]', { rest: { apiKeys: ['a', 'b'] } }],
    ['extractor.limits.time: 90s', { extractor: { limits: { timeMs: 90_000 } } }],
  ])('%s', (text, settings) => {
    expect(folder.loadYaml(text).settings).toMatchObject(settings);
  });
});

describe('a value of the wrong type is refused with its place, key, value, and what would be right', () => {
  const DURATION = 'Write a whole number directly followed by ms, s, m, h or d, such as 15m.';
  const SIZE = 'Write a number and b, kb, mb, gb, tb or pb, such as 10mb';

  test.each([
    ['fs.update_rate: 15 minutes', `fs.update_rate: Failed to parse timevalue [15 minutes]. ${DURATION}`],
    [
      'fs.update_rate: 900',
      `fs.update_rate: Failed to parse timevalue [900]: unit is missing or unrecognized. ${DURATION}`,
    ],
    [
      'fs.update_rate: [5m]',
      'fs.update_rate [5m]: A single value is needed. Write a whole number directly followed by ms, s, m, h or d, such as 15m.',
    ],
    [
      'fs.ignore_above: 1024',
      `fs.ignore_above: failed to parse value [1024] as a size in bytes: unit is missing or unrecognized. ${SIZE}, or -1 for no limit.`,
    ],
    ['engine.byte_size: -2b', `engine.byte_size [-2b]: Values less than -1 bytes are not supported: -2b. ${SIZE}.`],
    [
      'fs.indexed_chars: many',
      'fs.indexed_chars: Failed to parse percentage [many]. Write a number of characters (5000), a percentage of the file size ("80%"), or -1 for all.',
    ],
    [
      'fs.indexed_chars: -5',
      'fs.indexed_chars: [-5] is negative. Write a number of characters (5000), a percentage of the file size ("80%"), or -1 for all.',
    ],
    ['fs.watch: yes', 'fs.watch: [yes] is neither true nor false. Did you mean true? Write true or false.'],
    ['fs.watch: 0', 'fs.watch: [0] is neither true nor false. Did you mean false? Write true or false.'],
    ['fs.watch: maybe', 'fs.watch: [maybe] is neither true nor false. Write true or false.'],
    ['engine.bulk_size: 1.5', 'engine.bulk_size: [1.5] is not a whole number. Write a whole number from 1 on.'],
    ['fs.ocr.page_seg_mode: 14', 'fs.ocr.page_seg_mode: [14] is out of range. Write a whole number from 0 to 13.'],
    ['fs.ocr.output_type: pdf', 'fs.ocr.output_type: [pdf] is not known. Write txt or hocr.'],
    ['fs.includes: {a: b}', 'fs.includes [b]: A list is needed, but this is a map.'],
    [
      'fs.includes: [[a]]',
      'fs.includes [a]: A single value is needed. Write a glob such as */*.doc, or regex: and a regular expression.',
    ],
    [
      'fs.filters: ["(foo"]',
      'fs.filters: [(foo] is not a regular expression: unterminated group. Write a regular expression such as ^chapter [0-9]+.',
    ],
    [
      'fs.excludes: ["regex:["]',
      'fs.excludes: [regex:[] is not a regular expression: unterminated character class. Write a glob such as */*.doc, or regex: and a regular expression.',
    ],
    [
      "fs.excludes: ['*/tmp\\']",
      'fs.excludes: [*/tmp\\] is not a pattern: the backslash at its end takes no character as it is. Write a glob such as */*.doc, or regex: and a regular expression.',
    ],
    [
      "fs.filters: ['end\\Z']",
      'fs.filters: [end\\Z] is not a regular expression: \\Z is not supported. Write a regular expression such as ^chapter [0-9]+.',
    ],
    [
      'engine.urls: ["127.0.0.1:9200"]',
      'engine.urls: [127.0.0.1:9200] is not an http or https address. Write an address such as http://127.0.0.1:9200.',
    ],
    [
      'rest.url: 8080',
      'rest.url: [8080] is not an address to listen on. Write an address such as http://127.0.0.1:8080, with a path if all endpoints shall have a prefix.',
    ],
    [
      'rest.url: https://h',
      'rest.url: [https://h] asks for TLS, which the service does not speak; put a proxy in front of it. Write an address such as http://127.0.0.1:8080, with a path if all endpoints shall have a prefix.',
    ],
    ['fs.provider: smb', 'fs.provider: No FsProvider found for type [smb]. Write local, ftp, ssh or s3.'],
    [
      'fs.provider: http',
      'fs.provider: Provider [http] does not support directory crawling. Only local, ftp, ssh, and s3 providers support crawling. Write local, ftp, ssh or s3.',
    ],
    [
      'passwords.provider: vault',
      'passwords.provider: No PasswordProvider found for type [vault]. Write noop, static, disk or chained.',
    ],
  ])('%s', (text, problem) => {
    expect(folder.problemsOf(`# settings\n${text}\n`)).toEqual([`_settings.yaml:2: ${problem}`]);
  });

  test.each([
    'server.password: [geheim]',
    'engine.api_key: {key: geheim}',
    'passwords.providers.static.values: {a: geheim}',
    'rest.api_keys: [[geheim]]',
    'engine.urls: ["ftp://me:geheim@host"]',
    'rest.url: http://me:geheim@host',
    'fs.s3.endpoint: file://me:geheim@host',
  ])('without betraying a secret: %s', (text) => {
    const [problem] = folder.problemsOf(text);
    expect(problem).toMatch(/^_settings\.yaml:1: /);
    expect(problem).not.toContain('geheim');
  });
});

describe('a filter', () => {
  test.each([
    ['.*foo.*', 'a foo b', true],
    ['^second', 'first\nsecond', true],
    ['foo', 'FOO', false],
    ['(?i)foo', 'FOO', true],
    ['(?s)a.b', 'a\nb', true],
    ['^4\\d{3}([\\ \\-]?)\\d{4}\\1\\d{4}\\1\\d{4}$', 'card\n4012 8888 8888 1881', true],
    ['\\p{Lu}', 'É', true],
  ])('%j is found in %j: %s', (pattern, text, isFound) => {
    expect(contentPattern(pattern).test(text)).toBe(isFound);
  });

  test.each(['(', '[a', '*a', '(?<a'])('%j does not compile', (pattern) => {
    expect(() => contentPattern(pattern)).toThrow(SyntaxError);
  });
});
