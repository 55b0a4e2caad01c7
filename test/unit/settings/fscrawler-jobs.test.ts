import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { JobFolder } from './job-folder.js';

/** Job directories as they stand on the disks of people who switch: they must load, with warnings at most. */
let folder: JobFolder;
beforeEach(() => {
  folder = new JobFolder();
});
afterEach(() => folder.remove());

const FSCRAWLER_2_4 = `{
  "name" : "invoices",
  "fs" : {
    "url" : "/srv/invoices",
    "update_rate" : "5m",
    "includes" : [ "*.doc", "*.xls" ],
    "excludes" : [ "draft.doc" ],
    "json_support" : false,
    "filename_as_id" : true,
    "add_filesize" : true,
    "remove_deleted" : true,
    "add_as_inner_object" : false,
    "store_source" : true,
    "index_content" : true,
    "indexed_chars" : "10000.0",
    "attributes_support" : false,
    "raw_metadata" : true,
    "xml_support" : false,
    "index_folders" : true,
    "lang_detect" : false,
    "continue_on_error" : false,
    "pdf_ocr" : false,
    "ocr" : { "language" : "fra" }
  },
  "server" : {
    "hostname" : null,
    "port" : 22,
    "username" : null,
    "password" : null,
    "protocol" : "local",
    "pem_path" : null
  },
  "elasticsearch" : {
    "nodes" : [ { "host" : "es1", "port" : 9200, "scheme" : "HTTP" }, { "host" : "es2", "port" : 9201, "scheme" : "HTTPS" } ],
    "index" : "docs",
    "type" : "doc",
    "bulk_size" : 1000,
    "flush_interval" : "5s",
    "username" : "elastic",
    "password" : "changeme"
  },
  "rest" : {
    "scheme" : "HTTP",
    "host" : "127.0.0.1",
    "port" : 8081,
    "endpoint" : "fscrawler"
  }
}
`;

const FSCRAWLER_2_9 = `---
name: "archive"
fs:
  url: "/srv/archive"
  follow_symlink: false
  update_rate: "15m"
  excludes:
  - "*/~*"
  ignore_above: "512mb"
  json_support: false
  filename_as_id: false
  indexed_chars: "80%"
  checksum: "SHA-1"
  lang_detect: true
  ocr.pdf_strategy: noocr
  ocr:
    language: "eng+deu"
    enabled: true
server:
  hostname: "files.example.com"
  port: 2222
  username: "reader"
  password: "changeme"
  protocol: "SSH"
elasticsearch:
  nodes:
  - url: "https://es1.example.com:9200"
  - cloud_id: "prod:ZXUuY2xvdWQuZXhhbXBsZSRhYmMkZGVm"
  bulk_size: 1000
  flush_interval: "5s"
  byte_size: "10mb"
  ssl_verification: false
  path_prefix: "/es"
  username: "elastic"
  password: "changeme"
workplace_search:
  id: "1234"
  server: "http://127.0.0.1:3002"
  bulk_size: 50
rest:
  url: "http://127.0.0.1:8080/fscrawler"
  enable_cors: true
`;

const FSCRAWLER_3 = `---
fs:
  provider: "ssh"
  url: "\${DOCS:=/data}"
  update_rate: "5m"
  includes: ["*/*.pdf", "*/*.docx"]
  excludes: []
  filters:
  - ".*foo.*"
  - "^4\\\\d{3}([\\\\ \\\\-]?)\\\\d{4}\\\\1\\\\d{4}\\\\1\\\\d{4}$" # card numbers
  json_support: "\${FSCRAWLER_JSON:=false}"
  xml_support: "false"
  follow_symlinks: true
  hash_algorithm: "SHA-256"
  attributes_support: true
  acl_support: true
  indexed_chars: "-1"
  temp_dir: "/var/tmp/fscrawler"
  ocr:
    enabled: "true"
    output_type: hocr
    page_seg_mode: 3 # fully automatic
tags:
  metaFilename: "meta.json"
  staticMetaFilename: "STATIC_META"
passwords:
  provider: "chained"
  providers:
    static:
      values: ["\${PDF_PASSWORD}", "second"]
    disk:
      url: "/run/secrets/documents"
    chained:
      providers: ["static", "disk"]
server:
  hostname: "files.example.com"
  username: "reader"
  password: "changeme@{secret}"
elasticsearch:
  urls:
  - "\${ES_NODE1:=https://127.0.0.1:9200}"
  - "https://127.0.0.1:9201"
  index: "\${name}-v2"
  bulk_operation: "create"
  api_key: "VnVhQ2ZHY0I=@{secret}"
  pipeline: "attachments"
  push_templates: "true"
  semantic_search: "false"
rest:
`;

describe('a job of FSCrawler', () => {
  test('2.4 loads with warnings only', () => {
    folder.write('_settings.json', FSCRAWLER_2_4);
    const { settings, warnings } = folder.load();
    expect(settings).toMatchObject({
      name: 'invoices',
      fs: {
        url: '/srv/invoices',
        indexedChars: { kind: 'absolute', characters: 10_000 },
        ocr: { language: 'fra', pdfStrategy: 'no_ocr' },
      },
      engine: { urls: ['http://es1:9200', 'https://es2:9201'], index: 'docs', indexFolder: 'invoices_folder' },
      rest: { url: 'http://127.0.0.1:8081/fscrawler' },
    });
    expect(warnings.map((warning) => warning.split(': ').slice(0, 2).join(': '))).toEqual([
      '_settings.json:22: fs.pdf_ocr has been replaced by fs.ocr.pdf_strategy, which is set from it.',
      '_settings.json:34: elasticsearch.nodes has been removed in favor of engine.urls',
      '_settings.json:36: elasticsearch.type is ignored',
      '_settings.json:43: rest.scheme, rest.host, rest.port, rest.endpoint has been removed in favor of rest.url, which is put together from it.',
      '_settings.json:39: engine.username',
    ]);
  });

  test('2.9 loads with warnings only', () => {
    const { settings, warnings } = folder.loadYaml(FSCRAWLER_2_9);
    expect(settings).toMatchObject({
      name: 'archive',
      fs: {
        provider: 'ssh',
        indexedChars: { kind: 'percent', percent: 80 },
        ignoreAboveBytes: 512 * 1024 ** 2,
        ocr: { language: 'eng+deu', pdfStrategy: 'no_ocr' },
      },
      server: { hostname: 'files.example.com', port: 2222, username: 'reader' },
      engine: {
        urls: ['https://es1.example.com:9200', 'https://abc.eu.cloud.example'],
        index: 'archive_docs',
        pathPrefix: '/es',
        sslVerification: false,
      },
      rest: { url: 'http://127.0.0.1:8080/fscrawler', enableCors: true },
    });
    expect(warnings).toHaveLength(5);
  });

  test('3.0 loads, with its placeholders and secrets', () => {
    const meta = folder.write('static.yml', 'external: {}');
    const { settings, warnings } = folder.loadYaml(FSCRAWLER_3.replace('STATIC_META', meta), {
      env: { PDF_PASSWORD: 'first', DOCS: '/mnt/docs' },
    });
    expect(settings).toMatchObject({
      name: 'my_job',
      fs: {
        url: '/mnt/docs',
        jsonSupport: false,
        excludes: ['*.password', '*/.password'],
        indexedChars: { kind: 'absolute', characters: -1 },
        ocr: { outputType: 'hocr', pageSegMode: 3 },
      },
      tags: { metaFilename: 'meta.json', staticMetaFilename: meta },
      passwords: {
        provider: 'chained',
        providers: { static: { values: ['first', 'second'] }, chained: { providers: ['static', 'disk'] } },
      },
      server: { port: 22, password: 'changeme' },
      engine: {
        urls: ['https://127.0.0.1:9200', 'https://127.0.0.1:9201'],
        index: 'my_job-v2',
        bulkOperation: 'create',
        apiKey: 'VnVhQ2ZHY0I=',
        semanticSearch: false,
      },
      rest: { url: 'http://127.0.0.1:8080' },
    });
    expect(warnings).toEqual([]);
  });
});
