import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { reasons } from '../../src/model/reason.js';
import { ScriptedCrawler } from '../support/scripted-crawler.js';
import { IDLE } from '../support/scripted-monitor.js';
import { call, startRest } from './rest-harness.js';
import type { RestHarness } from './rest-harness.js';

let rest: RestHarness;

beforeAll(async () => {
  rest = await startRest();
});

afterAll(() => rest.close());

beforeEach(() => {
  rest.crawler.become(new ScriptedCrawler().status());
  rest.monitor.now = IDLE;
  rest.monitor.condition = { engine: 'up', stuck: false };
  rest.monitor.counts = [];
});

describe('GET /_crawler/status', () => {
  test('tells what is going on', async () => {
    rest.monitor.now = {
      filesPerSecond: 12.345,
      remainingMs: 92_000,
      run: { indexed: 6, deleted: 1, failed: 1, settled: 7, total: 9, isResumed: true },
      totals: { files: 9, folders: 2, states: { indexed: 7, skipped: 2 }, reasons: { excluded: 2 } },
      current: [{ document: '/docs/large.pdf', elapsedMs: 1500.7, page: 3, pages: 80 }],
      slowest: [{ document: '/docs/old.doc', elapsedMs: 9000 }],
      queues: { folders: 3, extraction: 4, engine: 5 },
    };
    expect((await call(`${rest.url}/_crawler/status`)).body['activity']).toEqual({
      files_per_second: 12.3,
      remaining_time: '1m 32s',
      run: { indexed: 6, deleted: 1, failed: 1, settled: 7, total: 9, percent: 77, resumed: true },
      totals: { files: 9, folders: 2, states: { indexed: 7, skipped: 2 }, reasons: { excluded: 2 } },
      current: [{ document: '/docs/large.pdf', elapsed_ms: 1501, page: 3, pages: 80 }],
      slowest: [{ document: '/docs/old.doc', elapsed_ms: 9000 }],
      queues: { folders: 3, extraction: 4, engine: 5 },
    });
  });
});

describe('GET /_health', () => {
  test.each([
    ['well', { engine: 'up', stuck: false }, 200, undefined],
    ['without its engine', { engine: 'away', stuck: false }, 503, 'The search engine does not answer.'],
    [
      'stuck',
      { engine: 'up', stuck: true },
      503,
      'The scan has not moved for minutes, and no document is being worked on.',
    ],
  ] as const)('%s', async (_name, condition, status, message) => {
    rest.monitor.condition = condition;
    rest.crawler.become({ state: 'RUNNING' });
    const answer = await call(`${rest.url}/_health`);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({
      ok: status === 200,
      ...condition,
      state: 'RUNNING',
      ...(message === undefined ? {} : { message }),
    });
  });
});

describe('GET /_metrics', () => {
  async function metrics(): Promise<string> {
    const answer = await call(`${rest.url}/_metrics`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    return answer.text;
  }

  test('has the figures of the crawl, the catalog, the queues and the process', async () => {
    rest.crawler.become({ state: 'ERROR', filesProcessed: 7, filesDeleted: 1, filesFailed: 2, scanStartMs: 1500 });
    rest.monitor.now = {
      ...IDLE,
      filesPerSecond: 2.5,
      totals: { files: 9, folders: 2, states: { indexed: 7 }, reasons: { encrypted: 2 } },
      current: [{ document: 'a', elapsedMs: 1500 }],
      queues: { folders: 3, extraction: 4, engine: 5 },
    };
    rest.monitor.counts = [{ origin: 'rest', outcome: 'failed', documents: 6 }];
    const text = await metrics();
    for (const line of [
      'crawler_state{state="ERROR",job_name="job"} 1',
      'crawler_state{state="RUNNING",job_name="job"} 0',
      'crawler_scan_files{job_name="job"} 7',
      'crawler_scan_deleted{job_name="job"} 1',
      'crawler_scan_failed{job_name="job"} 2',
      'crawler_scan_start_timestamp_seconds{job_name="job"} 1.5',
      'crawler_files_per_second{job_name="job"} 2.5',
      'crawler_catalog_files{state="indexed",job_name="job"} 7',
      'crawler_catalog_problems{reason="encrypted",job_name="job"} 2',
      'crawler_extractions{job_name="job"} 1',
      'crawler_longest_extraction_seconds{job_name="job"} 1.5',
      'crawler_queue_length{queue="engine",job_name="job"} 5',
      'crawler_documents_total{origin="rest",outcome="failed",job_name="job"} 6',
      'crawler_engine_up{job_name="job"} 1',
      'crawler_stuck{job_name="job"} 0',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).toContain('# TYPE crawler_documents_total counter');
  });

  test('reads anew each time: what only grows is not added twice, and a reason that is gone ends', async () => {
    rest.monitor.counts = [{ origin: 'crawl', outcome: 'indexed', documents: 3 }];
    rest.monitor.now = { ...IDLE, totals: { files: 1, folders: 1, states: {}, reasons: { corrupt: 1 } } };
    expect(await metrics()).toContain('crawler_catalog_problems{reason="corrupt",job_name="job"} 1');
    rest.monitor.now = { ...IDLE, totals: { files: 1, folders: 1, states: {}, reasons: {} } };
    const text = await metrics();
    expect(text).toContain('crawler_documents_total{origin="crawl",outcome="indexed",job_name="job"} 3');
    expect(text).not.toContain('crawler_catalog_problems{reason="corrupt"');
  });
});

describe('the alerts of docs/operating.md', () => {
  const page = readFileSync('docs/operating.md', 'utf8');
  const blocks = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, text = '']) => text);
  const [scrape, rules] = blocks.map((text) => {
    const [document] = parseAllDocuments(text);
    expect(document?.errors).toEqual([]);
    return document?.toJS() as {
      scrape_configs: { metrics_path: string }[];
      groups: { rules: { alert: string; expr: string; annotations: { do: string } }[] }[];
    };
  });
  const alerts = rules?.groups[0]?.rules ?? [];

  test('are read at the address that the service has', async () => {
    expect((await call(`${rest.url}${scrape?.scrape_configs[0]?.metrics_path ?? ''}`)).status).toBe(200);
  });

  test('ask for figures, labels and reasons that there are', async () => {
    rest.crawler.become({
      state: 'ERROR',
      scanEndMs: 1500,
      heldDeletions: { documents: 7, folders: 0, sinceMs: 0, message: 'Approve.' },
      watch: {
        folders: 2,
        unwatched: [{ path: '/a', reason: 'b' }],
        partialScans: 0,
        files: 0,
        deleted: 0,
        lastPartialScanMs: undefined,
      },
    });
    const totals = {
      files: 1,
      folders: 1,
      states: {},
      reasons: Object.fromEntries(Object.keys(reasons).map((key) => [key, 1])),
    };
    rest.monitor.now = { ...IDLE, totals };
    rest.monitor.counts = [{ origin: 'rest', outcome: 'failed', documents: 1 }];
    const { text } = await call(`${rest.url}/_metrics`);
    expect(text).toContain('crawler_held_deletions{job_name="job"} 7');
    expect(text).toContain('crawler_unwatched_paths{job_name="job"} 1');
    const lines = text.split('\n');
    expect(alerts.length).toBeGreaterThan(15);
    for (const { alert, expr, annotations } of alerts) {
      expect([alert, annotations.do]).toEqual([alert, expect.stringMatching(/\w/)]);
      for (const [selector, name = '', labels = ''] of expr.matchAll(/((?:crawler|process)_\w+)(?:\{([^}]*)\})?/g)) {
        const wanted = [...labels.matchAll(/(\w+)=~?"([^"]*)"/g)].filter(([, label]) => label !== 'job');
        const series = lines.filter((line) => line.startsWith(`${name}{`));
        for (const [, label = '', values = ''] of wanted) {
          for (const value of values.split('|')) {
            const found = series.some((line) => line.includes(`${label}="${value}"`));
            expect([selector, value, found]).toEqual([selector, value, true]);
          }
        }
        expect([alert, name, series.length > 0]).toEqual([alert, name, true]);
      }
    }
  });
});
