import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ElasticTemplates } from '../../../src/engine/elastic/push-templates.js';
import { ask, describeRealEngines } from '../../support/real-engines.js';
import { ScriptedProxy } from '../../support/scripted-proxy.js';
import { elasticEngine } from './elastic-harness.js';

const { signal } = new AbortController();
const text = { type: 'text' };
const keyword = { type: 'keyword' };
const long = { type: 'long' };
const date = { type: 'date', format: 'date_optional_time' };
const tree = {
  type: 'keyword',
  fields: { fulltext: text, tree: { type: 'text', analyzer: 'fscrawler_path', fielddata: true } },
};

const fileFields = {
  checksum: keyword,
  content_type: keyword,
  created: date,
  extension: keyword,
  filename: { type: 'keyword', store: true },
  filesize: long,
  indexed_chars: long,
  indexing_date: date,
  last_accessed: date,
  last_modified: date,
  url: { type: 'keyword', index: false },
};
const pathFields = { real: tree, root: keyword, virtual: tree };
const attributeFields = {
  acl: { properties: { flags: keyword, permissions: keyword, principal: keyword, type: keyword } },
  group: keyword,
  owner: keyword,
};
const textMeta = ['altitude', 'author', 'comments', 'contributor', 'coverage', 'description', 'format', 'identifier'];
const moreTextMeta = ['keywords', 'latitude', 'longitude', 'modifier', 'publisher', 'relation', 'rights', 'source'];
const metaFields = {
  ...Object.fromEntries([...textMeta, ...moreTextMeta, 'title', 'type'].map((field) => [field, text])),
  ...Object.fromEntries(['created', 'date', 'metadata_date', 'print_date'].map((field) => [field, date])),
  creator_tool: keyword,
  language: keyword,
  rating: { type: 'byte' },
};

describeRealEngines('templates', (url) => {
  let proxy: ScriptedProxy;
  let names = { jobName: '', index: '', indexFolder: '' };

  beforeAll(async () => {
    proxy = await ScriptedProxy.start({ target: url() });
  });
  afterAll(() => proxy.close());

  beforeEach(() => {
    const jobName = `job${randomBytes(6).toString('hex')}`;
    names = { jobName, index: `${jobName}_docs`, indexFolder: `${jobName}_folder` };
    proxy.requests.splice(0);
  });
  afterEach(async () => {
    const { index, indexFolder } = names;
    await ask(url(), 'DELETE', `/${index},${indexFolder}?ignore_unavailable=true`);
    for (const template of [`${index}_docs`, `${indexFolder}_folders`]) {
      await ask(url(), 'DELETE', `/_index_template/fscrawler_${template}`);
    }
  });

  async function prepare(templates: Partial<ElasticTemplates> = {}): Promise<string[]> {
    const options = { ...names, semanticSearch: false, ...templates };
    const engine = elasticEngine({ urls: [proxy.url], templates: options });
    await engine.prepare(signal);
    await engine.close();
    return proxy.requests
      .splice(0)
      .map(({ line }) => line)
      .filter((line) => /^PUT \/_(index|component)_template/.test(line));
  }

  /** What an index that is created now gets from the templates. */
  async function created(index: string, part: '_mapping' | '_settings' | '_alias'): Promise<Record<string, unknown>> {
    await ask(url(), 'PUT', `/${index}`);
    const answer = (await ask(url(), 'GET', `/${index}/${part}`)) as Record<string, Record<string, unknown>>;
    return answer[index]!;
  }

  test('are pushed once, each index template after all of its components', async () => {
    const { index, indexFolder } = names;
    const ofDocuments = ['alias', 'settings_total_fields', 'mapping_attributes', 'mapping_file', 'mapping_path'];
    const component = (owner: string) => (part: string) => `PUT /_component_template/fscrawler_${owner}_${part}`;
    const sets = [
      [
        ...[...ofDocuments, 'mapping_attachment', 'mapping_content', 'mapping_meta'].map(component(index)),
        `PUT /_index_template/fscrawler_${index}_docs`,
      ],
      [
        ...['mapping_attributes', 'mapping_file', 'mapping_path'].map(component(indexFolder)),
        `PUT /_index_template/fscrawler_${indexFolder}_folders`,
      ],
    ];
    const puts = await prepare();
    expect([...puts].sort()).toEqual(sets.flat().sort());
    for (const set of sets) expect(puts.filter((line) => set.includes(line)).at(-1)).toBe(set.at(-1));
    expect(await prepare()).toEqual([]);
    expect(await prepare({ forcePushTemplates: true })).toHaveLength(13);
  });

  test('give the documents their mapping', async () => {
    await prepare();
    const { mappings } = await created(names.index, '_mapping');
    const { properties, dynamic_templates: dynamic } = mappings as Record<string, Record<string, unknown>>;
    expect(properties).toEqual({
      attachment: { type: 'binary' },
      attributes: { properties: attributeFields },
      content: text,
      file: { properties: fileFields },
      meta: { properties: metaFields },
      path: { properties: pathFields },
    });
    const rawAsText = { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } };
    expect(dynamic).toEqual([{ raw_as_text: { path_match: 'meta.raw.*', mapping: rawAsText } }]);
  });

  test('give the folders their mapping', async () => {
    await prepare();
    const { mappings } = await created(names.indexFolder, '_mapping');
    expect(mappings).toEqual({
      properties: {
        attributes: { properties: attributeFields },
        file: { properties: fileFields },
        path: { properties: pathFields },
      },
    });
  });

  test('give the index its settings and the alias of the job', async () => {
    await prepare();
    const { settings } = await created(names.index, '_settings');
    expect(settings).toMatchObject({ index: { mapping: { total_fields: { limit: '2000' } } } });
    expect(await created(names.index, '_alias')).toEqual({ aliases: { [names.jobName]: {} } });
    expect(await created(names.indexFolder, '_alias')).toEqual({ aliases: {} });
  });

  test('make the folders of a Windows path and of any other searchable', async () => {
    await prepare();
    const engine = elasticEngine({ urls: [url()], templates: { ...names, pushTemplates: false } });
    await engine.prepare(signal);
    const document = (real: string) => ({ path: { real, virtual: real, root: 'r' } });
    await engine.write(
      ['C:\\data\\2024\\a.pdf', '/data/2024/b.pdf'].map((path, i) => ({
        kind: 'index',
        index: names.index,
        id: `${i}`,
        document: document(path),
      })),
      signal,
    );
    for (const folder of ['C:/data/2024', '/data']) {
      const query = { term: { 'path.real.tree': folder } };
      expect([folder, await engine.count(names.index, query, signal)]).toEqual([folder, 1]);
    }
    expect(await engine.count(names.index, { match: { 'path.real.fulltext': '2024' } }, signal)).toBe(2);
    await engine.close();
  });

  test('respect a component that somebody has made before', async () => {
    const own = `/_component_template/fscrawler_${names.index}_mapping_content`;
    const analyzed = { content: { type: 'text', analyzer: 'simple' } };
    await ask(url(), 'PUT', own, { template: { mappings: { properties: analyzed } } });
    expect(await prepare()).not.toContain(`PUT ${own}`);
    const { mappings } = await created(names.index, '_mapping');
    expect(mappings).toMatchObject({ properties: analyzed });

    expect(await prepare({ forcePushTemplates: true })).toContain(`PUT ${own}`);
  });

  test('leave an index template with all its components alone', async () => {
    await ask(url(), 'PUT', `/_index_template/fscrawler_${names.index}_docs`, { index_patterns: [names.index] });
    const puts = await prepare();
    expect(puts.every((line) => line.includes(names.indexFolder))).toBe(true);
    expect(puts).toHaveLength(4);
  });

  test.each([
    [{ pushTemplates: false }, 0],
    [{ documentsWanted: false }, 4],
    [{ foldersWanted: false }, 9],
  ])('with %j are %d', async (templates, expected) => {
    expect(await prepare(templates)).toHaveLength(expected);
  });

  test('work for an index that is called like its job', async () => {
    const { jobName } = names;
    names = { ...names, index: jobName };
    await prepare();
    expect(await created(jobName, '_alias')).toEqual({ aliases: {} });
  });

  test('that the server refuses end the start with its reason', async () => {
    await expect(prepare({ jobName: 'a*b' })).rejects.toMatchObject({
      message: expect.stringMatching(
        /component template \[fscrawler_\w+_alias\] cannot be created.*engine\.push_templates.*a\*b/s,
      ),
    });
  });

  describe('and the pipeline', () => {
    test('are both there when the start ends well', async () => {
      const pipeline = `p_${names.jobName}`;
      await ask(url(), 'PUT', `/_ingest/pipeline/${pipeline}`, {
        processors: [{ set: { field: 'external.seen', value: true } }],
      });
      const engine = elasticEngine({ urls: [url()], pipeline, templates: { ...names, semanticSearch: false } });
      await engine.prepare(signal);
      const operation = { kind: 'index', index: names.index, id: 'a', document: { content: 'x' } } as const;
      expect(await engine.write([{ ...operation, pipeline }], signal)).toEqual([{ ok: true, id: 'a' }]);
      const found = await engine.get(names.index, 'a', signal);
      expect(found?.source).toEqual({ content: 'x', external: { seen: true } });
      await engine.close();
      await ask(url(), 'DELETE', `/_ingest/pipeline/${pipeline}`);
    });
  });
});
