import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findProgram } from '../../support/program.js';
import { numbered, startEngineRest } from '../../rest/engine-harness.js';
import type { EngineHarness } from '../../rest/engine-harness.js';

/** The official Python clients with their own helpers. `.ci/install-tools` puts each into a folder of its own. */
const CLIENTS: readonly (readonly [requirement: string, script: string])[] = [
  ['elasticsearch==8.19.3', 'elasticsearch_client.py'],
  ['elasticsearch==9.5.1', 'elasticsearch_client.py'],
  ['opensearch-py==3.2.0', 'opensearch_client.py'],
];
const COUNT = 250;
const KEY = 'a-key-of-the-service';

/** Where .ci/install-tools keeps what is not installed as a package of the system. */
const TOOLS = process.env['CRAWLER_TEST_TOOLS'] ?? '/opt/crawler-test-tools';

function packagesOf(requirement: string): string {
  return join(TOOLS, 'python', requirement);
}

const python = findProgram('python3');
const missing = CLIENTS.filter(([requirement]) => python === undefined || !existsSync(packagesOf(requirement)));
for (const [requirement] of missing) process.stderr.write(`[skipped] ${requirement}: .ci/install-tools installs it\n`);

describe.each(CLIENTS)('%s', (requirement, script) => {
  const testOrSkip = missing.some(([each]) => each === requirement) ? test.skip : test;
  let api: EngineHarness;

  beforeAll(async () => {
    api = await startEngineRest({ url: 'http://127.0.0.1:0/crawler', apiKeys: [KEY] });
    await api.write(numbered(COUNT));
    await api.write({ f: { path: { real: '/docs', virtual: '/' } } }, 'job_folder');
  });

  afterAll(() => api.close());

  testOrSkip(
    'reads on, asks what a script asks first, and is refused its writes by name',
    async () => {
      const { stdout } = await promisify(execFile)(
        python ?? 'python3',
        [fileURLToPath(new URL(`python-clients/${script}`, import.meta.url)), api.node, KEY],
        {
          env: { ...process.env, PYTHONPATH: packagesOf(requirement), PYTHONDONTWRITEBYTECODE: '1' },
          timeout: 120_000,
        },
      );
      const found = JSON.parse(stdout) as { scan: string[]; scan_in_order: number[]; point_in_time: string[] };
      const all = Object.keys(numbered(COUNT)).sort();
      expect(found.scan.sort()).toEqual(all);
      expect(found.point_in_time.sort()).toEqual(all);
      expect(found.scan_in_order).toEqual([...found.scan_in_order].sort((left, right) => right - left));
      expect(found.scan_in_order).toHaveLength(COUNT);
      expect(found).toMatchObject({
        version: '9.0.0',
        ping: true,
        msearch: [200, 404],
        mget: [true, false],
        health: 'green',
        cat_count: String(COUNT),
        cat_health: 'green',
        alias: { job_docs: { aliases: { job: {} } } },
        settings: ['job_docs'],
        field_caps: ['file.extension'],
        refresh: 0,
        count: COUNT,
        near: COUNT,
        groups: ['pdf', 'txt'],
        meant: 'lighthouse',
        bulk: expect.stringContaining('not supported by the embedded index'),
        index: expect.stringContaining('not supported by the embedded index'),
        missing: expect.stringContaining('no such index [none]'),
      });
    },
    150_000,
  );
});
