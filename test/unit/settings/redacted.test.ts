import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { redactedSettings } from '../../../src/settings/redacted.js';
import { settingRows } from '../../../src/settings/setting-table.js';
import { withoutCredentials } from '../../../src/settings/without-credentials.js';
import { JobFolder } from './job-folder.js';

let folder: JobFolder;
beforeEach(() => {
  folder = new JobFolder();
});
afterEach(() => folder.remove());

describe('the settings of GET /', () => {
  test('are the defaults under their names in files', () => {
    expect(redactedSettings(folder.load().settings)).toEqual({
      name: 'my_job',
      fs: {
        url: '/tmp/es',
        update_rate: '15m',
        excludes: ['*/~*', '*.password', '*/.password'],
        json_support: false,
        add_as_inner_object: false,
        xml_support: false,
        follow_symlinks: false,
        remove_deleted: true,
        continue_on_error: false,
        filename_as_id: false,
        hash_algorithm: 'MD5',
        index_content: true,
        add_filesize: true,
        attributes_support: false,
        acl_support: false,
        lang_detect: false,
        store_source: false,
        page_numbers: true,
        raw_metadata: false,
        index_folders: true,
        temp_dir: folder.path('tmp'),
        provider: 'local',
        watch: false,
        stability: '2s',
        delete_guard: '50.0%',
        ocr: {
          enabled: true,
          language: 'eng',
          output_type: 'txt',
          pdf_strategy: 'ocr_and_text',
          page_seg_mode: 1,
          preserve_interword_spacing: false,
          page_timeout: '1m',
          document_timeout: '30m',
        },
        s3: { region: 'us-east-1' },
      },
      passwords: { provider: 'noop', providers: { disk: { url: '/tmp/es' } } },
      tags: { meta_filename: '.meta.yml' },
      server: { port: 0, protocol: 'local', ftps: 'none' },
      engine: {
        index: 'my_job_docs',
        index_folder: 'my_job_folder',
        provider: 'auto',
        bulk_size: 100,
        bulk_operation: 'INDEX',
        flush_interval: '5s',
        byte_size: '10mb',
        ssl_verification: true,
        push_templates: true,
        force_push_templates: false,
        semantic_search: true,
        search_timeout: '30s',
        start_timeout: '1m',
      },
      rest: {
        url: 'http://127.0.0.1:8080',
        enable_cors: false,
        strict_status: false,
        legacy: false,
        mcp: 'on',
        ui: 'on',
        verify_rate: '1d',
      },
      extractor: {
        provider: 'embedded',
        sandbox: 'best',
        sandbox_documents: 0,
        tika: { timeout: '5m', retries: 5, start_timeout: '1m' },
        limits: { time: '1m', memory: '1gb', ratio: 200, text: '50mb', unpacked: '512mb', members: 2000, depth: 8 },
      },
    });
  });

  test('show values as text where they are more than numbers', () => {
    const { settings } = folder.loadYaml(
      'fs:\n  indexed_chars: 5000\n  ignore_above: 1536b\n  update_rate: 70s\n  delete_guard: -1\nengine:\n  bulk_operation: create\n  username: elastic\n  start_timeout: -1\n',
    );
    expect(redactedSettings(settings)).toMatchObject({
      fs: { indexed_chars: '5000.0', ignore_above: '1.5kb', update_rate: '1.1m', delete_guard: '-1.0' },
      engine: { bulk_operation: 'CREATE', username: 'elastic', start_timeout: '-1' },
    });
  });

  test('hold no secret of any kind', () => {
    const secrets = settingRows.filter((row) => row.declared.secret).map((row) => row.path);
    const named = settingRows.map((row) => row.path).filter((path) => /^fs\..*(password|_key|token)$/.test(path));
    expect(secrets.filter((path) => path.startsWith('fs.'))).toEqual(named);
    expect(secrets.filter((path) => !path.startsWith('fs.'))).toEqual([
      'passwords.providers.static.value',
      'passwords.providers.static.values',
      'server.password',
      'engine.api_key',
      'engine.password',
      'rest.api_keys',
      'rest.read_keys',
    ]);
    const { settings } = folder.loadYaml(
      [
        ...secrets.map((path) => `${path}: geheim`),
        'engine.urls: ["https://me:geheim@a:9200/", "http://b:9200?token=geheim"]',
        'fs.s3.endpoint: http://geheim@minio:9000',
        'extractor.tika.url: http://tika:9998/?key=geheim',
        'fs.url: ftp://me:geheim@host/data',
      ].join('\n'),
    );
    expect(settings.engine.urls[0]).toContain('geheim');
    const shown = redactedSettings(settings);
    expect(JSON.stringify(shown)).not.toContain('geheim');
    expect(shown).toMatchObject({
      engine: { urls: ['https://a:9200/', 'http://b:9200'] },
      fs: { url: 'ftp://host/data' },
    });
  });
});

describe('an address without its credentials', () => {
  test.each([
    ['https://me:geheim@host:9200/x', 'https://host:9200/x'],
    ['https://me:p@ss@host/x', 'https://host/x'],
    ['https://me:ge/heim@host/x', 'https://host/x'],
    ['http://host/a@b', 'http://host/a@b'],
    ['http://host/x?key=1', 'http://host/x'],
    ['/data/who?.txt', '/data/who?.txt'],
    ['me@example.com', 'me@example.com'],
  ])('%j is %j', (text, expected) => {
    expect(withoutCredentials(text)).toBe(expected);
  });
});
