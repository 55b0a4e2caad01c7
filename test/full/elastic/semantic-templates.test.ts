import { afterEach, describe, expect, test } from '@jest/globals';
import type { ElasticTemplates } from '../../../src/engine/elastic/push-templates.js';
import { InstantClock } from '../../support/instant-clock.js';
import { RecordingLogger } from '../../support/recording-logger.js';
import { elasticEngine, rootAnswer } from './elastic-harness.js';
import { TemplateServer } from './template-server.js';

const { signal } = new AbortController();
const plain = '/_index_template/fscrawler_job_docs_docs';
const semantic = '/_index_template/fscrawler_job_docs_docs_semantic';
const content = '/_component_template/fscrawler_job_docs_mapping_content';
const semanticContent = '/_component_template/fscrawler_job_docs_mapping_content_semantic';
const serverless = { version: { number: '8.11.0', build_flavor: 'serverless' } };
const openSearch = { version: { number: '3.8.0', distribution: 'opensearch' } };

let server: TemplateServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function start(root: unknown = rootAnswer('9.1.0'), licence = 'trial'): Promise<TemplateServer> {
  server = await TemplateServer.start(root, licence);
  return server;
}

async function prepare(here: TemplateServer, templates: Partial<ElasticTemplates> = {}) {
  const clock = new InstantClock();
  const logger = new RecordingLogger();
  const engine = elasticEngine({ urls: [here.url], templates, clock, logger });
  try {
    await engine.prepare(signal);
  } finally {
    await engine.close();
  }
  return { clock, logger };
}

describe('semantic search', () => {
  test.each([
    ['Elasticsearch 8.17 with a trial licence', rootAnswer('8.17.0'), 'trial'],
    ['Elasticsearch 9 with an enterprise licence', rootAnswer('9.0.0'), 'enterprise'],
    ['serverless Elasticsearch', serverless, 'none'],
  ])('is prepared on %s', async (_, root, licence) => {
    const here = await start(root, licence);
    const { logger } = await prepare(here);
    expect([...here.templates.keys()]).toEqual(expect.arrayContaining([semantic, semanticContent]));
    expect(here.templates.has(plain) || here.templates.has(content)).toBe(false);
    expect(here.templates.get(semanticContent)).toEqual({
      template: {
        mappings: {
          properties: {
            content: { type: 'text', copy_to: 'content_semantic' },
            content_semantic: { type: 'semantic_text' },
          },
        },
      },
    });
    expect(logger.lines.filter(({ message }) => message.includes('Semantic'))).toEqual([]);
  });

  test.each([
    ['Elasticsearch 8.16', rootAnswer('8.16.0'), 'trial', '8.17 or newer'],
    ['Elasticsearch 7.17', rootAnswer('7.17.29'), 'trial', '8.17 or newer'],
    ['OpenSearch', openSearch, 'trial', '8.17 or newer'],
    ['a basic licence', rootAnswer('9.1.0'), 'basic', 'enterprise or trial licence, this is [basic]'],
  ])('is left out with %s, and that is said once', async (_, root, licence, said) => {
    const here = await start(root, licence);
    const { logger } = await prepare(here);
    expect([...here.templates.keys()]).toEqual(expect.arrayContaining([plain, content]));
    expect(here.templates.has(semantic) || here.templates.has(semanticContent)).toBe(false);
    const lines = logger.lines.filter(({ message }) => message.includes('Semantic'));
    expect(lines.map(({ message }) => message)).toEqual([expect.stringContaining(said)]);
  });

  test('that is switched off asks for no licence', async () => {
    const here = await start();
    await prepare(here, { semanticSearch: false });
    expect(here.templates.has(plain)).toBe(true);
    expect(here.requests).not.toContain('GET /_license');
  });

  test('waits for a licence that a young cluster has not found yet', async () => {
    const here = await start();
    here.licenceAfter = 3;
    const { clock } = await prepare(here);
    expect(here.templates.has(semantic)).toBe(true);
    expect(clock.slept).toEqual([500, 1000, 2000]);
  });

  test.each([plain, semantic])('leaves a job alone that was prepared as %s', async (existing) => {
    const here = await start();
    here.templates.set(existing, {});
    await prepare(here, { foldersWanted: false });
    expect([...here.templates.keys()]).toEqual([existing]);
    expect(here.requests).not.toContain('GET /_license');
  });

  test('replaces the other variant when templates are forced, since only one of them may exist', async () => {
    const here = await start();
    here.templates.set(plain, {});
    await prepare(here, { forcePushTemplates: true });
    expect(here.templates.has(plain)).toBe(false);
    expect(here.templates.has(semantic)).toBe(true);
  });
});

describe('a component template', () => {
  test('must be readable before the index template is composed of it', async () => {
    const here = await start();
    here.readableAfter = 3;
    const { clock } = await prepare(here, { foldersWanted: false });
    const each = [100, 200, 400].flatMap((delayMs) => new Array<number>(8).fill(delayMs));
    expect([...clock.slept].sort((a, b) => a - b)).toEqual(each);
    const puts = here.requests.filter((line) => /^PUT .*_template/.test(line));
    expect(puts.at(-1)).toBe(`PUT ${semantic}`);
  });

  test('that stays unreadable for a minute ends the start', async () => {
    const here = await start();
    here.readableAfter = 1000;
    await expect(prepare(here)).rejects.toMatchObject({
      code: 'timed_out',
      message: expect.stringContaining(
        'Component template [fscrawler_job_docs_alias] did not become available within 60 seconds',
      ),
    });
    expect(here.templates.has(semantic)).toBe(false);
  });
});
