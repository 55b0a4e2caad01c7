import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openPasswords } from '../../../src/passwords/registry.js';
import { loadSettings } from '../../../src/settings/load-settings.js';
import { RecordingLogger } from '../../support/recording-logger.js';

let directory: string;
let docs: string;
let logger: RecordingLogger;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'passwords-'));
  docs = join(directory, 'docs');
  logger = new RecordingLogger();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function write(path: string, text: string): void {
  const whole = join(directory, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
}

/** The candidates for a document of a job with these settings. */
function candidates(
  path: string,
  overrides: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<readonly string[]> {
  const { settings } = loadSettings({
    configDir: directory,
    job: 'job',
    env,
    overrides: [`fs.url=${docs}`, ...overrides],
    fsJavaOpts: undefined,
  });
  return openPasswords(settings, logger).candidates(path);
}

const STATIC = 'passwords.provider=static';
const DISK = ['passwords.provider=disk', 'passwords.providers.disk.url='];

test('noop has none, also beside sidecar files', async () => {
  write('docs/a.pdf.password', 'geheim');
  expect(await candidates(join(docs, 'a.pdf'), [])).toEqual([]);
});

describe('static', () => {
  test.each([
    ['values in their order', ['values=b,a'], ['b', 'a']],
    ['the one value', ['value=only'], ['only']],
    ['values before the one value', ['value=only', 'values=b,a'], ['b', 'a']],
    ['nothing when nothing is set', [], []],
  ])('gives %s', async (_what, settings, expected) => {
    const overrides = settings.map((each) => `passwords.providers.static.${each}`);
    expect(await candidates('/anywhere/a.pdf', [STATIC, ...overrides])).toEqual(expected);
  });

  test('takes its values from the environment, and placeholders in them', async () => {
    const env = { CRAWLER_PASSWORDS_PROVIDER: 'static', CRAWLER_PASSWORDS_PROVIDERS_STATIC_VALUES: 'x,${PDF_SECRET}' };
    expect(await candidates('/a.pdf', [], { ...env, PDF_SECRET: 'from elsewhere' })).toEqual(['x', 'from elsewhere']);
  });
});

describe('disk', () => {
  beforeEach(() => {
    write('docs/.password', 'root');
    write('docs/a/.password', '\r\n  \r\n  a with blanks \r\nsecond line\r\n');
    write('docs/a/b/.password', '\uFEFFb');
    write('docs/a/b/f.pdf.password', 'file');
  });

  test('goes from the file itself to the root, and takes the first line that says something', async () => {
    expect(await candidates(join(docs, 'a/b/f.pdf'), DISK)).toEqual(['file', 'b', 'a with blanks', 'root']);
    expect(await candidates(join(docs, 'a/g.pdf'), DISK)).toEqual(['a with blanks', 'root']);
    expect(await candidates(join(docs, 'h.pdf'), DISK)).toEqual(['root']);
  });

  test('looks below a folder of its own that mirrors the documents', async () => {
    write('vault/a/.password', 'in the vault');
    expect(
      await candidates(join(docs, 'a/b/f.pdf'), [DISK[0]!, `passwords.providers.disk.url=${directory}/vault`]),
    ).toEqual(['in the vault']);
  });

  test('has only the files of its root for a document from elsewhere', async () => {
    write('docs/upload.pdf.password', 'for the upload');
    expect(await candidates('upload.pdf', DISK)).toEqual(['for the upload', 'root']);
    expect(await candidates('/other/a/b/f.pdf', DISK)).toEqual(['root']);
    expect(await candidates(`${docs}/../other/f.pdf`, DISK)).toEqual(['root']);
  });

  test('passes over files that are empty, missing or cannot be used, and says which, but never what they hold', async () => {
    write('docs/c/.password', '\n \n');
    mkdirSync(join(docs, 'c/f.pdf.password'));
    mkdirSync(join(docs, 'd'));
    execFileSync('mkfifo', [join(docs, 'd/.password')]);
    expect(await candidates(join(docs, 'c/f.pdf'), DISK)).toEqual(['root']);
    expect(await candidates(join(docs, 'd/f.pdf'), DISK)).toEqual(['root']);
    expect(logger.lines).toEqual([
      { level: 'warn', message: `Password candidate [${docs}/c/f.pdf.password] is not a regular file; skipping.` },
      { level: 'warn', message: `Password candidate [${docs}/d/.password] is not a regular file; skipping.` },
    ]);
  });

  test('reads no more than the beginning of a huge file', async () => {
    write('docs/e/.password', `first\n${'x'.repeat(1_000_000)}`);
    expect(await candidates(join(docs, 'e/f.pdf'), DISK)).toEqual(['first', 'root']);
  });
});

describe('chained', () => {
  const chain = (providers: string): string[] => [
    'passwords.provider=chained',
    `passwords.providers.chained.providers=${providers}`,
    'passwords.providers.static.values=s1,root',
    'passwords.providers.disk.url=',
  ];

  test.each([
    ['disk,static', ['file', 'root', 's1']],
    ['static,disk', ['s1', 'root', 'file']],
    ['noop,static', ['s1', 'root']],
  ])('%s: the candidates of each in turn, none twice', async (providers, expected) => {
    write('docs/f.pdf.password', 'file');
    write('docs/.password', 'root');
    expect(await candidates(join(docs, 'f.pdf'), chain(providers))).toEqual(expected);
    expect(logger.lines).toEqual([]);
  });
});
