import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startCrawler, type RunningCrawler } from '../support/crawler-process.js';

/** The scripts of examples/rest, run as a reader of the manual runs them, against the real service. */
const SCRIPTS = fileURLToPath(new URL('../../examples/rest/', import.meta.url));
const DOCUMENTS = fileURLToPath(new URL('../../examples/documents/', import.meta.url));

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let directory: string;
let crawler: RunningCrawler;
let baseUrl: string;
const used = new Set<string>(['service.sh']);

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-examples-'));
  const tree = join(directory, 'harbour');
  mkdirSync(tree);
  writeFileSync(join(tree, 'tides.txt'), 'High water at noon.');
  const args = [tree, '--rest', '--config_dir', join(directory, 'config')];
  crawler = startCrawler([...args, '--set', 'rest.url=http://127.0.0.1:0', '--set', 'rest.api_keys=sesame']);
  let output = '';
  crawler.child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await crawler.printed('Rest service started on');
  baseUrl = /Rest service started on \[([^\]]+)\]/.exec(output)?.[1] ?? '';
  // The service is up before the crawler is.
  while ((await run('steer.sh', ['status'])).stdout.includes('"STOPPED"'));
});

afterAll(async () => {
  crawler.child.kill('SIGTERM');
  // One that does not stop by itself would outlive the tests.
  const patience = setTimeout(() => crawler.child.kill('SIGKILL'), 10_000);
  await crawler.finished;
  clearTimeout(patience);
  rmSync(directory, { recursive: true, force: true });
});

function run(script: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<Ran> {
  used.add(script);
  const env = { ...process.env, BASE_URL: baseUrl, API_KEY: 'sesame', ...variables };
  const child = spawn('bash', [join(SCRIPTS, script), ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** In the order in which somebody tries them: each builds on what the ones before it left. */
const steps: readonly (readonly [string, string, readonly string[], NodeJS.ProcessEnv, string])[] = [
  ['waits for the end of the first run', 'steer.sh', ['wait'], {}, 'PAUSED'],
  ['shows the state', 'steer.sh', ['status'], {}, '"state":"PAUSED"'],
  [
    'posts documents',
    'post.sh',
    [
      join(DOCUMENTS, 'handbook/lighthouse-keepers-handbook.pdf'),
      join(DOCUMENTS, 'contracts/ferry-berth-agreement.docx'),
    ],
    {},
    '"filename":"ferry-berth-agreement.docx"',
  ],
  [
    'posts with a password',
    'post.sh',
    [join(DOCUMENTS, 'texts/weather-log.txt')],
    { PASSWORD: 'not needed' },
    '"ok":true',
  ],
  [
    'shows what would be indexed',
    'post.sh',
    [join(DOCUMENTS, 'texts/harbour-rules.md')],
    { POST_OPTIONS: 'simulate=true' },
    '"content"',
  ],
  [
    'tags a document with text, under an id of its own',
    'tag.sh',
    [join(DOCUMENTS, 'texts/harbour-rules.md'), '{"external":{"team":"harbour"},"meta":{"title":"The rules"}}'],
    { ID: 'rules' },
    '/_doc/rules',
  ],
  ['tags a document with a file', 'tag.sh', [join(DOCUMENTS, 'data/stations.json'), '@TAGS'], {}, '"ok":true'],
  ['lets the service fetch a file', 'fetch.sh', ['tides.txt'], {}, '"ok":true'],
  ['finds what was posted', 'search.sh', ['lighthouse'], { SIZE: '5' }, 'lighthouse-keepers-handbook.pdf'],
  ['deletes by file name', 'delete.sh', ['weather-log.txt'], {}, '"filename":"weather-log.txt"'],
  ['deletes by id', 'delete.sh', ['--id', 'rules'], {}, '"id":"rules"'],
  ['pauses', 'steer.sh', ['pause'], {}, '"ok":true'],
  ['forgets the progress', 'steer.sh', ['forget'], {}, '"ok":true'],
  ['resumes', 'steer.sh', ['resume'], {}, '"ok":true'],
];

describe('the scripts of examples/rest', () => {
  test.each(steps)(
    '%s: %s',
    async (_does, script, args, variables, expected) => {
      const tags = join(directory, 'tags.json');
      writeFileSync(tags, '{"external":{"years":[2024,2025]}}');
      const given = args.map((arg) => (arg === '@TAGS' ? `@${tags}` : arg));
      const { code, stdout, stderr } = await run(script, given, variables);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(expected);
    },
    30_000,
  );

  test('fail when the service refuses', async () => {
    expect(await run('delete.sh', ['--id', 'nobody'])).toMatchObject({ code: 1 });
    expect(await run('steer.sh', ['status'], { API_KEY: 'wrong' })).not.toMatchObject({ code: 0 });
    expect(await run('post.sh', [])).toMatchObject({ code: 2 });
  });

  test('have all been run', () => {
    expect([...used].sort()).toEqual(readdirSync(SCRIPTS).sort());
  });
});
