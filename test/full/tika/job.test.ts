import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Job } from '../../../src/app/job.js';
import { loadSettings } from '../../../src/settings/load-settings.js';
import { freePort } from '../../support/program.js';
import { RecordingLogger } from '../../support/recording-logger.js';
import { tempDir } from '../../support/temp-dir.js';
import { answerWith, ScriptedTika, type Reaction } from '../../support/tika-server.js';

/** Whole jobs with `extractor.provider: tika` and `auto`, on an embedded index. */
const oneNote = Buffer.concat([Buffer.from('e4525c7b8cd8a74daeb15378d02996d3', 'hex'), Buffer.alloc(84)]);
const parsers = { children: [{ name: 'OneNoteParser', supportedTypes: ['application/onenote; format=one'] }] };

let home: string;
let server: ScriptedTika;
let react: () => Reaction;
let logger: RecordingLogger;

beforeEach(() => {
  home = mkdtempSync(join(tempDir(), 'job-'));
  mkdirSync(join(home, 'tree'));
  writeFileSync(join(home, 'tree', 'plain.txt'), 'plain words');
  writeFileSync(join(home, 'tree', 'notes.one'), oneNote);
  react = () => answerWith('words from Tika');
  server = new ScriptedTika(() => react());
  server.lists = { '/parsers/details': parsers, '/mime-types': {}, '/detectors': {} };
  logger = new RecordingLogger();
});
afterEach(() => server.stop().catch(() => undefined));

interface Ran {
  readonly failed: boolean;
  /** File name to text. */
  readonly index: Readonly<Record<string, unknown>>;
}

async function run(provider: string, port: number, restart = false): Promise<Ran> {
  const overrides = [
    `fs.url=${join(home, 'tree')}`,
    `extractor.provider=${provider}`,
    `extractor.tika.url=http://127.0.0.1:${port}`,
    'extractor.tika.start_timeout=0ms',
    'extractor.tika.retries=1',
  ];
  const sources = { configDir: home, job: 'job', env: {}, overrides, fsJavaOpts: undefined };
  const { settings } = loadSettings(sources);
  const options = { rest: false, debug: false, wantsTotal: false, onProgress: () => undefined };
  const job = await Job.start({
    ...options,
    settings,
    jobDirectory: join(home, 'job'),
    loops: 1,
    restart,
    logger,
    documentLog: logger,
  });
  try {
    const { failed } = await job.ended();
    const index: Record<string, unknown> = {};
    for await (const page of job.engine.scan('job_docs', new AbortController().signal)) {
      for (const { source } of page) index[(source['file'] as { filename: string }).filename] = source['content'];
    }
    return { failed, index };
  } finally {
    await job.stop();
  }
}

async function serverPort(): Promise<number> {
  return Number(new URL(await server.start()).port);
}

describe('extractor.provider: tika', () => {
  test('every document comes from the server', async () => {
    const { index, failed } = await run('tika', await serverPort());
    expect(index).toEqual({ 'plain.txt': 'words from Tika', 'notes.one': 'words from Tika' });
    expect(failed).toBe(false);
    expect(logger.messages('info').join('\n')).toContain('has version [9.9.9]');
  });

  test('a server that is not there is said so at start', async () => {
    await expect(run('tika', await freePort())).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/Tika server at \[http.*is not there.*extractor\.tika\.url/),
    });
  });

  test('something else at the address is said so at start', async () => {
    server.version = { status: 200, text: '<html>It works!</html>' };
    await expect(run('tika', await serverPort())).rejects.toMatchObject({
      code: 'settings_invalid',
      message: expect.stringContaining('extractor.tika.url'),
    });
  });

  test('an outage in the middle leaves nothing empty and nothing out', async () => {
    let asked = 0;
    react = () => {
      asked += 1;
      return asked <= 4 ? { status: 503 } : answerWith('words from Tika');
    };
    const { index, failed } = await run('tika', await serverPort());
    expect(index).toEqual({ 'plain.txt': 'words from Tika', 'notes.one': 'words from Tika' });
    expect(failed).toBe(false);
  });
});

describe('extractor.provider: auto', () => {
  test('the server reads what is not built in', async () => {
    const { index } = await run('auto', await serverPort());
    expect(index).toEqual({ 'plain.txt': expect.stringContaining('plain words'), 'notes.one': 'words from Tika' });
  });

  test('while the server is away, its files are left out with their reason, and read when it is back', async () => {
    const port = await freePort();
    const away = await run('auto', port);
    expect(away.index).toEqual({ 'plain.txt': expect.stringContaining('plain words') });
    expect(logger.messages('warn').join('\n')).toMatch(/Unable to index \[.*notes\.one\].*onenote.*tried again/);
    await server.start(port);
    const back = await run('auto', port, true);
    expect(back.index['notes.one']).toBe('words from Tika');
  });

  test('a server that is away at start does not look like another version: nothing is extracted again', async () => {
    const port = await serverPort();
    await run('auto', port);
    expect(JSON.parse(readFileSync(join(home, 'job', '_tika.json'), 'utf8'))).toEqual({ version: '9.9.9' });
    await server.stop();
    const before = logger.lines.length;
    await run('auto', port);
    const since = logger.lines.slice(before).map(({ message }) => message);
    expect(since.join('\n')).toContain('indexed [0]');
  });

  test('another version of the server has everything extracted again', async () => {
    const port = await serverPort();
    await run('auto', port);
    server.version = { status: 200, text: 'Apache Tika 10.0.0' };
    const before = logger.lines.length;
    await run('auto', port);
    expect(
      logger.lines
        .slice(before)
        .map(({ message }) => message)
        .join('\n'),
    ).toContain('indexed [2]');
  });
});
