import { chmodSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { engineProviderOf } from '../../../src/settings/engine-provider.js';
import { JobFolder } from './job-folder.js';

let folder: JobFolder;
beforeEach(() => {
  folder = new JobFolder();
});
afterEach(() => folder.remove());

describe('settings that do not fit together are refused', () => {
  test.each([
    [
      'server.protocol: smb',
      '1: server.protocol [smb]: smb is not supported yet. Please use local or ssh or ftp. Disabling crawler. Write local, ssh or ftp.',
    ],
    [
      'server:\n  protocol: ssh\n  hostname: h',
      '2: server.username: When using SSH, you need to set a username and probably a password or a pem file. Disabling crawler',
    ],
    [
      'server.hostname: h\nfs.provider: ssh',
      '2: server.username: When using SSH, you need to set a username and probably a password or a pem file. Disabling crawler',
    ],
    ['fs.provider: ftp', '1: server.hostname: Provider [ftp] requires server.hostname to be set'],
    ['fs.provider: s3', '1: fs.s3.bucket: Provider [s3] requires fs.s3.bucket to be set'],
    [
      'elasticsearch.bulk_operation: delete',
      '1: engine.bulk_operation [delete]: elasticsearch.bulk_operation [DELETE] is not supported for document writes. Please use INDEX or CREATE. Disabling crawler. Write index or create.',
    ],
    [
      'engine.provider: elasticsearch',
      '1: engine.provider: engine.provider [elasticsearch] needs the addresses of the cluster as engine.urls',
    ],
    ['fs.checksum: FOO', '1: fs.checksum: Algorithm [FOO] not found. Disabling crawler'],
    ['fs.hash_algorithm: FOO', '1: fs.hash_algorithm: Hash algorithm [FOO] not found. Disabling crawler'],
    [
      'fs:\n  json_support: true\n  xml_support: true',
      '3: fs.xml_support [true]: Can not support both xml and json parsing. Disabling crawler',
    ],
    [
      'fs:\n  xml_support: true\n  index_content: false',
      '3: fs.index_content [false]: Json or Xml indexation is activated but you disabled indexing content which does not make sense. Disabling crawler',
    ],
    [
      'fs.tika_config_path: /nope.xml',
      '1: fs.tika_config_path [/nope.xml]: Tika configuration file /nope.xml not found!',
    ],
    [
      'tags.static_meta_filename: /nope.yml',
      '1: tags.static_meta_filename: Static meta file [/nope.yml] does not exist or is not a file.',
    ],
    [
      'engine:\n  urls: ["http://a"]\n  ca_certificate: /nope.crt',
      '3: engine.ca_certificate: CA certificate [/nope.crt] does not exist or is not a file.',
    ],
    [
      'fs.provider: ssh\nserver:\n  hostname: h\n  username: u\n  pem_path: /nope.pem',
      '5: server.pem_path: Private key [/nope.pem] does not exist or is not a file.',
    ],
    [
      'passwords.provider: chained',
      '1: passwords.providers.chained.providers: passwords.provider [chained] requires passwords.providers.chained.providers',
    ],
    [
      'passwords:\n  provider: chained\n  providers.chained.providers: [static, chained]',
      '3: passwords.providers.chained.providers: passwords.providers.chained.providers cannot contain [chained].',
    ],
    [
      'passwords:\n  provider: chained\n  providers.chained.providers: [vault]',
      '3: passwords.providers.chained.providers: passwords.providers.chained.providers contains unknown password provider [vault].',
    ],
    [
      'extractor.provider: auto',
      '1: extractor.tika.url: extractor.provider [auto] needs the address of a Tika server as extractor.tika.url',
    ],
    [
      'engine.index: "A/B"',
      '1: engine.index: The index name [A/B] must be in lower case. Write a name that is valid, such as [a_b].',
    ],
    [
      'engine:\n  index_folder: a b',
      '2: engine.index_folder: The index name [a b] must not contain [ ]. Write a name that is valid, such as [a_b].',
    ],
    [
      'name: Docs\nengine.index: "${name}_docs"',
      '2: engine.index: The index name [Docs_docs] must be in lower case. Write a name that is valid, such as [docs_docs].',
    ],
    ['name: a/b', '1: name [a/b]: A job name is the name of a folder: it has no slashes, and is neither . nor ..'],
  ])('%j', (text, problem) => {
    const problems = folder.problemsOf(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.startsWith(`_settings.yaml:${problem}`)).toBe(true);
  });

  test('a file that may not be read is distinguished from one that is missing', () => {
    const path = folder.write('secret.yml', 'external: {}');
    chmodSync(path, 0o000);
    if (process.getuid?.() === 0) {
      expect(folder.loadYaml(`tags.static_meta_filename: ${path}`).settings.tags.staticMetaFilename).toBe(path);
    } else {
      expect(folder.problemsOf(`tags.static_meta_filename: ${path}`)).toEqual([
        `_settings.yaml:1: tags.static_meta_filename: Static meta file [${path}] cannot be read.`,
      ]);
    }
  });

  test('by all rules at once, but not by those that look at a broken value', () => {
    const text = 'fs:\n  provider: smb\n  json_support: true\n  xml_support: true\nname: ..\n';
    expect(folder.problemsOf(text)).toEqual([
      expect.stringContaining('_settings.yaml:2: fs.provider: No FsProvider found for type [smb].'),
      expect.stringContaining('_settings.yaml:4: fs.xml_support [true]: Can not support both'),
      expect.stringContaining('_settings.yaml:5: name [..]:'),
    ]);
  });
});

describe('settings that are odd give a warning', () => {
  test.each([
    [
      'server:\n  protocol: ssh\n  hostname: h\n  username: u',
      '2: server.protocol: Setting server.protocol is deprecated and will be removed in a future version. Please use fs.provider: "ssh" instead.',
    ],
    [
      'engine:\n  urls: ["http://a"]\n  username: u\n  password: p',
      '3: engine.username: A user name and a password are deprecated. Set engine.api_key instead of engine.username and engine.password.',
    ],
    [
      'engine:\n  provider: embedded\n  urls: ["http://a"]',
      '3: engine.urls: the cluster is not used, because engine.provider is embedded.',
    ],
    [
      'fs.acl_support: true',
      '1: fs.acl_support: acl_support is set to true but fs.attributes_support is false. ACL collection is disabled.',
    ],
    [
      "fs.excludes: ['*\\~*', '*\\tmp\\*']",
      '1: fs.excludes: In [*\\tmp\\*] a backslash takes the next character as it is. Write / between folders, on Windows too, and regex: in front of a regular expression.',
    ],
  ])('%j', (text, warning) => {
    expect(folder.loadYaml(text).warnings).toEqual([`_settings.yaml:${warning}`]);
  });

  test('the Tika configuration has no effect', () => {
    const path = folder.write('tika.xml', '<properties/>');
    expect(folder.loadYaml(`fs.tika_config_path: ${path}`).warnings).toEqual([
      '_settings.yaml:1: fs.tika_config_path: This setting has no effect: configure a Tika server with it, and name the server as extractor.tika.url.',
    ]);
  });
});

describe('what follows from the provider', () => {
  test.each([
    ['fs.provider: ftp\nserver.hostname: h', { provider: 'ftp' }, { port: 21, username: 'anonymous' }],
    ['server:\n  protocol: FTP\n  hostname: h', { provider: 'ftp' }, { port: 21, username: 'anonymous' }],
    ['fs.provider: ftp\nserver: {hostname: h, ftps: implicit, username: u}', {}, { port: 990, username: 'u' }],
    ['fs.provider: ssh\nserver: {hostname: h, username: u}', { provider: 'ssh' }, { port: 22, username: 'u' }],
    ['fs.provider: ssh\nserver: {hostname: h, username: u, port: 2222}', {}, { port: 2222 }],
    ['fs.provider: local\nserver: {protocol: ssh}', { provider: 'local' }, { port: 0, username: undefined }],
    ['fs:\n  provider: s3\n  s3.bucket: b\n  url: ~/x', { provider: 's3', url: '~/x' }, { port: 0 }],
  ])('%j', (text, fs, server) => {
    expect(folder.loadYaml(text).settings).toMatchObject({ fs, server });
  });
});

describe('which engine is meant', () => {
  test.each([
    ['', 'embedded'],
    ['engine.urls: ["http://a"]', 'elasticsearch'],
    ['engine:\n  provider: embedded\n  urls: ["http://a"]', 'embedded'],
    ['engine:\n  provider: elasticsearch\n  urls: ["http://a"]', 'elasticsearch'],
  ])('%j', (text, type) => {
    expect(engineProviderOf(folder.loadYaml(text).settings.engine)).toBe(type);
  });
});
