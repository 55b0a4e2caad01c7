import { describe, expect, test } from '@jest/globals';
import { loadTemplateSet } from '../../../../src/engine/elastic/templates.js';

const names = { index: 'job_docs', job: 'job' };

describe('the templates of a job', () => {
  test.each([
    ['documents', 'fscrawler_job_docs_docs', 'mapping_content', 'FSCrawler template for documents in job_docs'],
    [
      'documents_semantic',
      'fscrawler_job_docs_docs_semantic',
      'mapping_content_semantic',
      'FSCrawler template for documents in job_docs with semantic support using inference endpoint',
    ],
  ] as const)('for %s are %s, composed in the known order', async (set, name, content, description) => {
    const { index, components } = await loadTemplateSet(set, names);
    const parts = ['alias', 'settings_total_fields', 'mapping_attributes', 'mapping_file', 'mapping_path'];
    const all = [...parts, 'mapping_attachment', content, 'mapping_meta'].map((part) => `fscrawler_job_docs_${part}`);
    expect(index).toEqual({
      name,
      body: { index_patterns: ['job_docs'], priority: 500, composed_of: all, _meta: { description } },
    });
    expect(components.map((component) => component.name)).toEqual(all);
  });

  test('for folders are three components under the name of the folder index', async () => {
    const { index, components } = await loadTemplateSet('folders', { index: 'job_folder', job: 'job' });
    const all = ['attributes', 'file', 'path'].map((part) => `fscrawler_job_folder_mapping_${part}`);
    expect(index.name).toBe('fscrawler_job_folder_folders');
    expect(index.body).toMatchObject({ index_patterns: ['job_folder'], priority: 600, composed_of: all });
    expect(components.map((component) => component.name)).toEqual(all);
  });

  test('give the index the alias of the job', async () => {
    const { components } = await loadTemplateSet('documents', { index: 'docs', job: 'a "job"' });
    expect(components[0]).toEqual({
      name: 'fscrawler_docs_alias',
      body: { template: { aliases: { 'a "job"': {} } } },
    });
  });

  test('give no alias to an index that is called like its job', async () => {
    const { components } = await loadTemplateSet('documents', { index: 'job', job: 'job' });
    expect(components[0]?.body).toEqual({ template: {} });
  });

  test('leave no placeholder behind', async () => {
    for (const set of ['documents', 'documents_semantic', 'folders'] as const) {
      expect(JSON.stringify(await loadTemplateSet(set, names))).not.toContain('${');
    }
  });
});
