import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { runCrawler, type Finished } from '../support/crawler-process.js';

let directory: string;
let config: string;
let docs: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-trust-'));
  config = join(directory, 'config');
  docs = join(directory, 'docs');
  mkdirSync(docs);
  writeFileSync(join(docs, 'a.txt'), 'The lighthouse at the harbour.');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function crawler(...args: string[]): Promise<Finished> {
  return runCrawler([...args, '--config_dir', config], { env: { ...process.env, NO_COLOR: '1' } });
}

function crawl(): Promise<Finished> {
  return crawler(docs, '--loop', '1', '--silent');
}

function lines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('crawler why', () => {
  test('finds the job by the path, and exits 0 only for a file that is in the index', async () => {
    await crawl();
    const found = await crawler('why', join(docs, 'a.txt'));
    expect(found).toMatchObject({ code: 0, stderr: '' });
    expect(found.stdout).toContain('indexed. It is in the index.');
    expect(found.stdout).toMatch(/job +docs\n/);
    writeFileSync(join(docs, 'b.txt'), 'new');
    const waiting = await crawler('why', join(docs, 'b.txt'));
    expect(waiting.code).toBe(1);
    expect(waiting.stdout).toContain('waiting for the next scan. No scan has seen it yet.');
    expect(waiting.stdout).toContain(
      `no crawler is running for the job: [crawler docs --config_dir ${config}] starts one`,
    );
  });

  test('takes the job by name, before the path or with --job', async () => {
    await crawl();
    expect((await crawler('why', 'docs', join(docs, 'a.txt'))).code).toBe(0);
    const { code, stdout } = await crawler('why', join(docs, 'a.txt'), '--job', 'docs', '--json');
    expect(code).toBe(0);
    expect(lines(stdout)).toMatchObject([{ job: 'docs', standing: 'indexed', path: join(docs, 'a.txt') }]);
  });

  test('a path that no job crawls, a path of several jobs, a job that nobody has made', async () => {
    await crawl();
    const outside = await crawler('why', join(directory, 'x.txt'));
    expect(outside).toMatchObject({ code: 1, stdout: '' });
    expect(outside.stderr).toContain("it is outside of every job's root");
    mkdirSync(join(config, 'other'));
    writeFileSync(join(config, 'other', '_settings.yaml'), `fs:\n  url: ${directory}\n`);
    const several = await crawler('why', join(docs, 'a.txt'));
    expect(several.stderr).toContain('docs, other. Choose one with --job.');
    expect((await crawler('why', 'nobody', 'x.txt')).stderr).toContain('There is no job [nobody]');
  });
});

describe('crawler verify', () => {
  test('exits 0 when all agree, 1 when not, and --fix repairs', async () => {
    await crawl();
    const agreed = await crawler('verify', 'docs');
    expect(agreed).toMatchObject({ code: 0, stderr: '' });
    expect(agreed.stdout).toContain('Job [docs]: 1 file (30b) in the tree, 1 indexed, 1 document in the index');
    expect(agreed.stdout).toContain('Tree, catalog and index agree.');
    writeFileSync(join(docs, 'b.txt'), 'new');
    const differing = await crawler('verify', 'docs');
    expect(differing.code).toBe(1);
    expect(differing.stdout).toContain(`unseen    ${join(docs, 'b.txt')}`);
    expect(differing.stdout).toContain(`[crawler verify docs --fix --config_dir ${config}] repairs them.`);
    const repaired = await crawler('verify', 'docs', '--fix');
    expect(repaired.code).toBe(0);
    expect(repaired.stdout).toContain('1 difference found and given to a scan; checking again.');
  });

  test('--json has a line for each difference, and a summary', async () => {
    await crawl();
    rmSync(join(docs, 'a.txt'));
    const { code, stdout } = await crawler('verify', 'docs', '--json');
    expect(code).toBe(1);
    expect(lines(stdout)).toMatchObject([
      { kind: 'gone', path: join(docs, 'a.txt'), what: 'file', pending: false },
      { summary: { job: 'docs', differences: { gone: 1 }, counts: { documents: 1 } } },
    ]);
    const fixed = await crawler('verify', 'docs', '--fix', '--json');
    expect(fixed.code).toBe(0);
    expect(lines(fixed.stdout).at(-1)).toMatchObject({ summary: { differences: {}, repaired: 1 } });
  });

  test('a job without a run, and a job that does not exist, get a sentence', async () => {
    const { code, stderr } = await crawler('verify', docs);
    expect(code).toBe(1);
    expect(stderr).toContain('Job [docs] has not been run yet');
    expect((await crawler('verify', 'nobody')).stderr).toContain('There is no job [nobody]');
    expect(existsSync(config)).toBe(false);
  });
});

describe('crawler failures', () => {
  test('lists, filters by reason, and has them tried again', async () => {
    writeFileSync(join(docs, 'bad.pdf'), '%PDF-1.4\nnot really');
    await crawl();
    const { code, stdout } = await crawler('failures', 'docs');
    expect(code).toBe(0);
    expect(stdout).toContain(`${join(docs, 'bad.pdf')}\n    corrupt: `);
    expect(stdout).toContain('1 failure in the job [docs]:\n  1  corrupt  pdf 1  its content is damaged');
    expect((await crawler('failures', 'docs', '--reason', 'encrypted')).stdout).toContain(
      'No failures (encrypted) in the job [docs].',
    );
    const retried = await crawler('failures', 'docs', '--retry', '--json');
    expect(lines(retried.stdout)).toMatchObject([
      { path: join(docs, 'bad.pdf'), standing: 'partial', reason: 'corrupt' },
      { summary: { listed: 1, queued: 1, live: false } },
    ]);
  });

  test('an unknown reason is a wrong command line', async () => {
    await crawl();
    const { code, stderr } = await crawler('failures', 'docs', '--reason', 'bad');
    expect(code).toBe(2);
    expect(stderr).toContain('[bad] is not a reason. The reasons are: excluded, ');
  });
});

describe('crawler plan', () => {
  test('shows the types that are most bytes, and those that are most files', async () => {
    for (let type = 0; type < 25; type += 1) writeFileSync(join(docs, `large.big${type}`), 'x'.repeat(1000 + type));
    for (let file = 0; file < 3; file += 1) writeFileSync(join(docs, `${file}.tiny`), 'x');
    const { stdout } = await crawler('plan', docs);
    expect(stdout).toMatch(/^ {2}1 +1kb +big24$/m);
    expect(stdout).toMatch(/^ {2}3 +3b +tiny$/m);
    expect(stdout).toMatch(/^ {2}\d+ +\S+ +\d+ other types$/m);
    expect(stdout).not.toMatch(/big0$/m);
  });

  test('tells what a first run would do, and makes nothing', async () => {
    const { code, stdout, stderr } = await crawler('plan', docs);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('1 file (30b) to index in 1 folder');
    expect(stdout).toContain('not indexed yet');
    expect(stdout).toContain('is not known yet');
    expect(existsSync(config)).toBe(false);
    expect(readdirSync(docs)).toEqual(['a.txt']);
  });

  test('--json is exact', async () => {
    const { stdout } = await crawler('plan', docs, '--json');
    expect(lines(stdout)).toMatchObject([
      { job: 'docs', root: docs, work: { files: 1, bytes: 30 }, types: [{ extension: 'txt', files: 1, bytes: 30 }] },
    ]);
  });

  test('a folder that does not exist gets a sentence', async () => {
    const { code, stderr } = await crawler('plan', join(directory, 'nowhere'));
    expect(code).toBe(1);
    expect(stderr).toContain('nowhere] does not exist.');
  });
});

describe('crawler doctor', () => {
  test('says that all is in order, with the origin of each setting that was given', async () => {
    await crawl();
    const { code, stdout } = await crawler('doctor', 'docs', '--set', 'fs.ocr.enabled=false');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^(?:ok|warning) +node +crawler .* on Node /m);
    expect(stdout).toMatch(/^ok +settings +fs\.url = .*docs {2}\(_settings\.yaml:\d+\)$/m);
    expect(stdout).toMatch(/^ok +settings +fs\.ocr\.enabled = false {2}\(--set\)$/m);
    expect(stdout).toMatch(/^ok +engine +embedded-/m);
    expect(stdout).toMatch(/^- +ocr +switched off/m);
  });

  test('exits 1 when something is broken, and says what to do; the other checks go on', async () => {
    await crawl();
    rmSync(docs, { recursive: true });
    const { code, stdout } = await crawler('doctor', 'docs', '--set', 'engine.urls=http://127.0.0.1:9');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^BROKEN +root .*\n +-> Check fs\.url/m);
    expect(stdout).toMatch(/^BROKEN +engine .*\n +-> Check engine\.urls/m);
    expect(stdout).toMatch(/^ok +job folder/m);
    expect(stdout).toMatch(/^Job \[docs\]: 2 broken/m);
  });

  test('shows no secret', async () => {
    await crawl();
    const secrets = ['engine.api_key=s3cr3t', 'engine.urls=http://user:s3cr3t@127.0.0.1:9'];
    const { stdout, stderr } = await crawler(
      'doctor',
      'docs',
      '--json',
      '--set',
      secrets[0] ?? '',
      '--set',
      secrets[1] ?? '',
    );
    expect(stdout + stderr).not.toContain('s3cr3t');
    expect(lines(stdout)).toMatchObject([{ job: 'docs', broken: 1 }]);
  });
});
