import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { JobFolder, messageOf, problemsOf } from './job-folder.js';

let folder: JobFolder;
beforeEach(() => {
  folder = new JobFolder();
});
afterEach(() => folder.remove());

describe('a job without any settings', () => {
  test('has the defaults', () => {
    const { settings, warnings, isDefaultOnly, originOf } = folder.load();
    expect({ isDefaultOnly, warnings, origin: originOf('fs.url') }).toEqual({
      isDefaultOnly: true,
      warnings: [],
      origin: 'default',
    });
    expect(settings).toMatchObject({
      name: 'my_job',
      fs: {
        url: '/tmp/es',
        updateRateMs: 900_000,
        provider: 'local',
        excludes: ['*/~*', '*.password', '*/.password'],
        indexedChars: { kind: 'unset' },
        ignoreAboveBytes: undefined,
        hashAlgorithm: 'MD5',
        tempDir: join(folder.configDir, 'my_job', 'tmp'),
      },
      engine: { urls: [], index: 'my_job_docs', indexFolder: 'my_job_folder', byteSize: 10_485_760 },
      rest: { url: 'http://127.0.0.1:8080', enableCors: false },
      passwords: { provider: 'noop', providers: { disk: { url: '/tmp/es' } } },
    });
  });

  test('has settings that nobody can change', () => {
    const { settings } = folder.load();
    expect(Object.isFrozen(settings.fs.ocr)).toBe(true);
    expect(Object.isFrozen(settings.fs.excludes)).toBe(true);
  });

  test.each(['', '.', '..', 'a/b', 'a\\b', 'a\0b'])('must have a name that a folder can have, not %j', (job) => {
    expect(messageOf(() => folder.load({ job }))).toBe(
      `[${job}] is not a job name: it must be the name of one folder.`,
    );
  });
});

describe('the strongest source wins', () => {
  const levels = [
    { name: 'FS_JAVA_OPTS', origin: 'FS_JAVA_OPTS', sources: { fsJavaOpts: '-Xmx2g -Dfs.url=/from-java' } },
    { name: 'FSCRAWLER_ variable', origin: 'FSCRAWLER_FS_URL', sources: { FSCRAWLER_FS_URL: '/from-old-variable' } },
    { name: 'CRAWLER_ variable', origin: 'CRAWLER_FS_URL', sources: { CRAWLER_FS_URL: '/from-variable' } },
    { name: 'ad-hoc folder', origin: 'command line', sources: { adHocRoot: '/from-argument' } },
    { name: 'job file', origin: '_settings.yaml:2', sources: { yaml: 'fs:\n  url: /from-file\n' } },
    { name: '--set', origin: '--set', sources: { overrides: ['fs.url=/from-option'] } },
  ] as const;
  const urls = ['/from-java', '/from-old-variable', '/from-variable', '/from-argument', '/from-file', '/from-option'];

  test.each(levels.map((level, index) => [level.name, index] as const))('%s over all below it', (_, top) => {
    const given = Object.assign({}, ...levels.slice(0, top + 1).map((level) => level.sources)) as Record<
      string,
      string
    >;
    const { yaml, ...sources } = given;
    if (yaml !== undefined) folder.write('_settings.yaml', yaml);
    const { settings, originOf, isDefaultOnly } = folder.load({ ...sources, env: given });
    expect(settings.fs.url).toBe(urls[top]);
    expect(originOf('fs.url')).toBe(levels[top]?.origin);
    expect(isDefaultOnly).toBe(false);
  });

  test('for each setting by itself', () => {
    const { settings } = folder.loadYaml('fs:\n  url: /data\n', {
      env: { CRAWLER_FS_UPDATE_RATE: '1m' },
      overrides: ['fs.watch=true'],
    });
    expect(settings.fs).toMatchObject({ url: '/data', updateRateMs: 60_000, watch: true });
  });

  test('and a random choice of sources is merged key by key', () => {
    const value = fc.option(fc.integer({ min: 1, max: 999 }), { nil: undefined });
    const sources = fc.record({ java: value, old: value, variable: value, file: value, set: value });
    const keys = ['engine.bulk_size', 'extractor.processes', 'extractor.limits.members'] as const;
    fc.assert(
      fc.property(fc.tuple(sources, sources, sources), (given) => {
        const texts = (source: keyof (typeof given)[0]) =>
          keys.flatMap((key, index) => {
            const number = given[index]?.[source];
            return number === undefined ? [] : [{ key, number }];
          });
        const variables = (prefix: string, source: 'old' | 'variable') =>
          texts(source).map(({ key, number }) => [`${prefix}${key.replaceAll('.', '_').toUpperCase()}`, `${number}`]);
        folder.write(
          '_settings.yaml',
          texts('file')
            .map(({ key, number }) => `${key}: ${number}\n`)
            .join(''),
        );
        const { settings } = folder.load({
          fsJavaOpts: texts('java')
            .map(({ key, number }) => `-D${key}=${number}`)
            .join(' '),
          env: Object.fromEntries([...variables('CRAWLER_', 'variable'), ...variables('FSCRAWLER_', 'old')]) as Record<
            string,
            string
          >,
          overrides: texts('set').map(({ key, number }) => `${key}=${number}`),
        });
        const expected = given.map(
          (each, index) =>
            each.set ?? each.file ?? each.variable ?? each.old ?? each.java ?? [100, undefined, 2000][index],
        );
        const { engine, extractor } = settings;
        expect([engine.bulkSize, extractor.processes, extractor.limits.members]).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });
});

describe('job files', () => {
  test('are _settings.yaml, or else _settings.json, or else the folder _settings', () => {
    folder.write('_settings/a.yaml', 'fs.url: /from-folder');
    expect(folder.load().settings.fs.url).toBe('/from-folder');
    folder.write('_settings.json', '{"fs":{"url":"/from-json"}}');
    expect(folder.load().settings.fs.url).toBe('/from-json');
    folder.write('_settings.yaml', 'fs.url: /from-yaml');
    expect(folder.load().settings.fs.url).toBe('/from-yaml');
  });

  test('of the folder are merged in the order of their names', () => {
    folder.write('_settings/20-late.json', '{\n\t"fs": {\n\t\t"includes": ["*.txt"],\n\t\t"watch": true\n\t}\n}');
    folder.write('_settings/10-early.yml', 'fs:\n  url: /data\n  watch: false\n  includes: ["*.doc", "*.xls"]\n');
    folder.write('_settings/30-empty.yaml', '# nothing yet\n');
    folder.write('_settings/notes.txt', 'not: settings');
    folder.write('_settings/.hidden.yaml', 'nonsense: true');
    const { settings, originOf, warnings } = folder.load();
    expect(settings.fs).toMatchObject({ url: '/data', watch: true, includes: ['*.txt'] });
    expect(originOf('fs.includes')).toBe('_settings/20-late.json:3');
    expect(warnings).toEqual([
      '_settings/notes.txt: this file is not read; settings are in .yaml, .yml and .json files.',
    ]);
  });

  test('replace a list as a whole, also by an empty one', () => {
    const { settings } = folder.loadYaml('fs:\n  excludes: []\n', { env: { CRAWLER_FS_EXCLUDES: 'a,b,c' } });
    expect(settings.fs.excludes).toEqual(['*.password', '*/.password']);
  });

  test('do not double the patterns of password files', () => {
    const { settings } = folder.loadYaml('fs:\n  excludes: ["*/.password", "*.tmp"]\n');
    expect(settings.fs.excludes).toEqual(['*/.password', '*.tmp', '*.password']);
  });

  test('may share maps by anchors and merge keys', () => {
    const { settings, warnings } = folder.loadYaml(
      'passwords: &none\n  provider: static\nfs: &fs\n  watch: true\n  url: /a\nserver:\n  hostname: &host h\n  username: *host\n',
    );
    expect(settings).toMatchObject({ passwords: { provider: 'static' }, server: { username: 'h' } });
    expect(warnings).toEqual([]);
    const merged = folder.loadYaml('fs:\n  <<: &base { watch: true, url: /a }\n  url: /b\n');
    expect(merged.settings.fs).toMatchObject({ watch: true, url: '/b' });
    expect(merged.warnings).toEqual([]);
  });

  test('keep the text of numbers where a text is meant', () => {
    const { settings } = folder.loadYaml('name: 2024\nserver:\n  username: 0123\n  password: 1_000\n');
    expect(settings).toMatchObject({ name: '2024', server: { username: '0123', password: '1_000' } });
  });

  test('may leave a value out', () => {
    const { settings, warnings } = folder.loadYaml(
      'fs:\n  url:\n  watch: ~\nserver:\nengine: ~\ntags:\n  meta_filename: ""\n',
    );
    expect(settings).toMatchObject({ fs: { url: '/tmp/es', watch: false }, tags: { metaFilename: '' } });
    expect(warnings).toEqual([]);
  });

  test('use the later of two values for one key, and say so', () => {
    const { settings, warnings } = folder.loadYaml(
      'fs:\n  url: /a\n  ocr.language: deu\n  ocr:\n    language: fra\n  url: /b\n',
    );
    expect(settings.fs).toMatchObject({ url: '/b', ocr: { language: 'fra' } });
    expect(warnings).toEqual([
      '_settings.yaml:5: fs.ocr.language is given in line 3 already; this one is used.',
      '_settings.yaml:6: fs.url is given in line 2 already; this one is used.',
    ]);
  });

  test('named _settings.yml are pointed at', () => {
    folder.write('_settings.yml', 'fs.url: /data');
    expect(folder.load().warnings).toEqual(['_settings.yml: this file is not read; rename it to _settings.yaml.']);
  });

  test('that cannot be read are a problem', () => {
    folder.write('_settings.yaml/oops', '');
    const [problem] = problemsOf(() => folder.load());
    expect(problem).toContain(`_settings.yaml: [${folder.path('_settings.yaml')}] cannot be read: `);
    expect(problem).toContain('EISDIR');
  });

  test.each([
    ['bad indent', 'name: "test"\nfs:\n    url: "/x"\n  update_rate: "5m"\n', 'line 4, column 1'],
    ['open bracket', 'fs:\n  includes: ["*.doc"\nname: x\n', 'line 3, column 1'],
    ['two documents', 'name: a\n---\nname: b\n', 'line 2, column 1'],
    ['a tab', 'fs:\n\turl: /x\n', 'line 2, column 1'],
  ])('with a syntax error are refused with its place: %s', (_, text, place) => {
    const message = messageOf(() => folder.loadYaml(text));
    expect(message).toMatch(/^Syntax error in configuration file \[_settings\.yaml\]: /);
    expect(message.endsWith(` at ${place}`)).toBe(true);
  });

  test('in JSON with a syntax error are refused in the same way', () => {
    folder.write('_settings.json', '{\n  "fs": {\n    "url": "/x"\n    "watch": true\n  }\n}');
    expect(messageOf(() => folder.load())).toBe(
      'Syntax error in configuration file [_settings.json]: Missing , between flow map items at line 4, column 5',
    );
  });

  test.each(['password: "geheim" x', 'password: %geheim', 'password: |geheim', '- a\nb: geheim', 'password: "geheim'])(
    'with a syntax error do not betray their text: %j',
    (text) => {
      expect(messageOf(() => folder.loadYaml(text))).not.toContain('geheim');
    },
  );

  test.each([
    ['- a\n- b\n', '_settings.yaml: the file must hold a map of settings.'],
    ['just words\n', '_settings.yaml: the file must hold a map of settings.'],
    ['fs:\n  url:"/tmp/es"\n', '_settings.yaml:1: fs must be a map, got a text. Is a blank missing behind a colon?'],
    ['fs: [a]\n', '_settings.yaml:1: fs must be a map, got a list.'],
    [
      'passwords:\n  providers:\n    static: geheim\n',
      '_settings.yaml:3: passwords.providers.static must be a map, got a text. Is a blank missing behind a colon?',
    ],
    ['? [a, b]\n: c\n', '_settings.yaml:1: a key must be a plain word.'],
  ])('of a wrong shape are refused: %j', (text, problem) => {
    expect(folder.problemsOf(text)).toEqual([problem]);
  });

  test('are never a crash, whatever they hold', () => {
    const word = fc.constantFrom('fs', 'url', 'ocr', 'engine', 'nodes', 'elasticsearch', 'rest', 'port', '<<', 'x', '');
    const leaf = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null), fc.string());
    const tree = fc.object({ key: word, values: [leaf], maxDepth: 4 });
    fc.assert(
      fc.property(
        fc.oneof(
          tree.map((value) => JSON.stringify(value)),
          fc.string(),
        ),
        (text) => {
          folder.write('_settings.yaml', text);
          try {
            expect(folder.load().settings.name).not.toBe('');
          } catch (error) {
            expect(error).toMatchObject({ name: 'CrawlerError', code: 'settings_invalid' });
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('environment variables', () => {
  test.each([
    ['CRAWLER_FS_OCR_PDF_STRATEGY', 'auto', 'fs.ocr.pdf_strategy'],
    ['FSCRAWLER_TAGS_METAFILENAME', 'x.yml', 'tags.meta_filename'],
    ['FSCRAWLER_TAGS_META_FILENAME', 'x.yml', 'tags.meta_filename'],
    ['FSCRAWLER_ELASTICSEARCH_API-KEY', 'k', 'engine.api_key'],
    ['FSCRAWLER_ELASTICSEARCH_API_KEY', 'k', 'engine.api_key'],
    ['CRAWLER_ENGINE_API_KEY', 'k', 'engine.api_key'],
    ['CRAWLER_NAME', 'other', 'name'],
    ['CRAWLER_PASSWORDS_PROVIDERS_STATIC_VALUES', 'a,b', 'passwords.providers.static.values'],
    ['FSCRAWLER_FS_PDF_OCR', 'false', 'fs.ocr.pdf_strategy'],
  ])('%s=%s sets %s', (variable, text, path) => {
    expect(folder.load({ env: { [variable]: text } }).originOf(path)).toBe(variable);
  });

  test('hold lists separated by commas, or one item each', () => {
    const { settings } = folder.load({
      env: {
        CRAWLER_FS_INCLUDES: '*.doc, *.pdf,a\\,b',
        CRAWLER_FS_FILTERS: '\\d{2,4},foo',
        CRAWLER_ENGINE_URLS_1: 'http://b:9200',
        CRAWLER_ENGINE_URLS_0: 'http://a:9200',
      },
    });
    expect(settings.fs.includes).toEqual(['*.doc', '*.pdf', 'a,b']);
    expect(settings.fs.filters).toEqual(['\\d{2,4}', 'foo']);
    expect(settings.engine.urls).toEqual(['http://a:9200', 'http://b:9200']);
  });

  test('of today win over FSCRAWLER_, whichever name of the engine they use', () => {
    const env = { CRAWLER_ELASTICSEARCH_INDEX: 'new', FSCRAWLER_ENGINE_INDEX: 'old' };
    expect(folder.load({ env }).settings.engine.index).toBe('new');
  });

  test('that are empty count as not given, but empty a list', () => {
    const env = { CRAWLER_ENGINE_PIPELINE: '', CRAWLER_FS_WATCH: '', CRAWLER_FS_EXCLUDES: '', CRAWLER_FS_URL: '' };
    const { settings } = folder.load({ env });
    expect(settings.engine.pipeline).toBeUndefined();
    expect(settings.fs).toMatchObject({ watch: false, url: '', excludes: ['*.password', '*/.password'] });
  });

  test.each([
    ['CRAWLER_FS_UPDATE_RTE', 'this variable is not a setting and is ignored; did you mean CRAWLER_FS_UPDATE_RATE?'],
    ['FSCRAWLER_ELASTICSEARCH_URL', 'this variable is not a setting and is ignored; did you mean CRAWLER_ENGINE_URLS?'],
    ['CRAWLER_URL', 'this variable is not a setting and is ignored; did you mean CRAWLER_FS_URL?'],
    ['CRAWLER_WOMBAT_OF_THE_DESERT', 'this variable is not a setting and is ignored.'],
    ['CRAWLER_LOG_LEVEL', 'this variable is ignored; did you mean LOG_LEVEL?'],
    ['FSCRAWLER_CONFIG_DIR', 'this variable is ignored; did you mean CRAWLER_CONFIG_DIR?'],
  ])('that begin like settings and are none are a warning: %s', (variable, warning) => {
    expect(folder.load({ env: { [variable]: '5m' } }).warnings).toEqual([`${variable}: ${warning}`]);
  });

  test('of others are left alone, and so is the one for the config directory', () => {
    const env = {
      HOME: '/',
      CRAWLER_CONFIG_DIR: '/jobs',
      CRAWLER_SERVICE_HOST: '10.0.0.1',
      CRAWLER_SERVICE_PORT_HTTP: '8080',
      CRAWLER_PORT: 'tcp://10.0.0.1:8080',
      CRAWLER_PORT_8080_TCP_ADDR: '10.0.0.1',
    };
    expect(folder.load({ env }).warnings).toEqual([]);
  });

  test('with a wrong value are named', () => {
    expect(problemsOf(() => folder.load({ env: { CRAWLER_FS_WATCH: 'maybe' } }))).toEqual([
      'CRAWLER_FS_WATCH: fs.watch: [maybe] is neither true nor false. Write true or false.',
    ]);
  });
});

describe('FS_JAVA_OPTS', () => {
  test('gives -D pairs, quoted as in a shell, and nothing else', () => {
    const { settings, warnings } = folder.load({
      fsJavaOpts: `-Xmx2g -DLOG_LEVEL=debug "-Dfs.url=/my docs" -Delasticsearch.api-key='k e y' -Dfs.includes[0]=*.a -Dfs.includes[1]=*.b -Dserver.username=a\\ b -Dfs.watch -Dfs.urll=x`,
    });
    expect(settings.fs).toMatchObject({ url: '/my docs', includes: ['*.a', '*.b'] });
    expect(settings).toMatchObject({ engine: { apiKey: 'k e y' }, server: { username: 'a b' } });
    expect(warnings).toContain('FS_JAVA_OPTS: fs.urll is not a setting and is ignored. Did you mean fs.url?');
    expect(warnings.join()).not.toContain('LOG_LEVEL');
  });
});

describe('--set', () => {
  test('accepts any spelling of a key and keeps what follows the first equals sign', () => {
    const { settings } = folder.load({ overrides: ['Engine.apiKey=a=b==', 'fs.ocr.page-seg-mode=3', 'fs.excludes='] });
    expect(settings).toMatchObject({ engine: { apiKey: 'a=b==' }, fs: { ocr: { pageSegMode: 3 } } });
    expect(settings.fs.excludes).toEqual(['*.password', '*/.password']);
  });

  test('with a mistake is refused', () => {
    expect(problemsOf(() => folder.load({ overrides: ['fs.urll=/x', 'fs.watch', 'engine.password_=geheim'] }))).toEqual(
      [
        '--set: [fs.watch] has no value. Write --set key=value, such as --set fs.update_rate=5m.',
        '--set: fs.urll is not a setting. Did you mean fs.url?',
      ],
    );
  });
});

describe('the folder of an ad-hoc job', () => {
  test('is taken as it is', () => {
    const { settings, originOf } = folder.load({ adHocRoot: '/data/${x}/@{secret}' });
    expect(settings.fs.url).toBe('/data/${x}/@{secret}');
    expect(originOf('fs.url')).toBe('command line');
  });
});
