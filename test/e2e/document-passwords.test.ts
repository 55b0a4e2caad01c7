import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runCrawler, searchDocuments, startCrawler } from '../support/crawler-process.js';

/** The real binary and real protected documents, which open with this password. */
const PASSWORD = 'geheim';
const TEXT = 'opened with a password';
const PROTECTED = join(import.meta.dirname, '../corpus/office-passwords/cryptoapi.xls');

let directory: string;
let docs: string;
let config: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-passwords-'));
  docs = join(directory, 'docs');
  config = join(directory, 'config');
  for (const folder of ['open', 'own', 'shared/deep']) mkdirSync(join(docs, folder), { recursive: true });
  writeFileSync(join(docs, 'open/plain.txt'), 'plain');
  copyFileSync(PROTECTED, join(docs, 'own/a.xls'));
  writeFileSync(join(docs, 'own/a.xls.password'), `${PASSWORD}\n`);
  copyFileSync(PROTECTED, join(docs, 'shared/deep/b.xls'));
  writeFileSync(join(docs, 'shared/.password'), PASSWORD);
  copyFileSync(PROTECTED, join(docs, 'open/locked.xls'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 10 }));

function makeJob(name: string, lines: readonly string[]): void {
  mkdirSync(join(config, name), { recursive: true });
  writeFileSync(join(config, name, '_settings.yaml'), [`fs.url: ${docs}`, ...lines, ''].join('\n'));
}

async function contents(job: string): Promise<Record<string, boolean>> {
  const documents = await searchDocuments([job, '--all', '--config_dir', config]);
  const found = documents.map(({ source }): [string, boolean] => [
    source.path?.real?.slice(docs.length + 1) ?? '?',
    source.content?.includes(TEXT) ?? false,
  ]);
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** All that the program has written about its work. */
function logs(): string {
  const folder = join(config, 'logs');
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

test('sidecar files open their documents, are not indexed themselves, and nothing of them is said', async () => {
  makeJob('sidecars', ['passwords:', '  provider: disk', '  providers.disk.url: ""']);
  const { code, stdout, stderr } = await runCrawler(['sidecars', '--loop', '1', '--trace', '--config_dir', config]);
  expect(code).toBe(0);
  expect(await contents('sidecars')).toEqual({
    'open/locked.xls': false,
    'open/plain.txt': false,
    'own/a.xls': true,
    'shared/deep/b.xls': true,
  });
  expect(stdout + stderr + logs()).not.toContain(PASSWORD);
});

test('a chain with a value from the environment opens the rest; what no candidate opens is indexed without content', async () => {
  makeJob('chain', [
    'passwords:',
    '  provider: chained',
    '  providers:',
    '    chained.providers: [static, disk]',
    '    static.values: [wrong-one, "${DOCUMENT_PASSWORD:=unset}"]',
  ]);
  const args = ['chain', '--loop', '1', '--config_dir', config];
  await runCrawler(args, { env: { DOCUMENT_PASSWORD: PASSWORD } });
  expect(Object.values(await contents('chain'))).toEqual([true, false, true, true]);

  makeJob('hopeless', ['passwords:', '  provider: static', '  providers.static.values: [wrong-one, wrong-two]']);
  const { stdout, stderr } = await runCrawler(['hopeless', '--loop', '1', '--config_dir', config]);
  expect(Object.values(await contents('hopeless'))).toEqual([false, false, false, false]);
  expect(stdout + stderr).toContain(
    `Exhausted [2] password candidates for [${docs}/open/locked.xls] without extracting content.`,
  );
  expect(stdout + stderr + logs()).not.toMatch(/wrong-one|wrong-two|geheim/);
});

test('the password of a request is the only one used for its document', async () => {
  makeJob('service', ['passwords:', '  provider: static', `  providers.static.values: [${PASSWORD}]`]);
  const args = ['service', '--loop', '0', '--rest', '--set', 'rest.url=http://127.0.0.1:0', '--config_dir', config];
  const crawler = startCrawler(args);
  try {
    let output = '';
    crawler.child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await crawler.printed('Rest service started on');
    const url = /Rest service started on \[([^\]]+)\]/.exec(output)?.[1] ?? '';
    const upload = async (password: string | undefined): Promise<string> => {
      const form = new FormData();
      form.append('file', new Blob([readFileSync(PROTECTED)]), 'upload.xls');
      if (password !== undefined) form.append('password', password);
      const response = await fetch(`${url}/_document?debug=true&simulate=true`, { method: 'POST', body: form });
      const { doc } = (await response.json()) as { doc?: { content?: string } };
      return doc?.content ?? '';
    };
    expect(await upload(PASSWORD)).toContain(TEXT);
    expect(await upload(undefined)).toContain(TEXT);
    expect(await upload('not this one')).not.toContain(TEXT);
    expect(await upload('')).not.toContain(TEXT);
  } finally {
    crawler.child.kill('SIGTERM');
    const { stdout, stderr } = await crawler.finished;
    expect(stdout + stderr + logs()).not.toContain('not this one');
  }
});
