import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { expectPageWorks } from '../support/expect-page-works.js';
import { pageSteps } from '../support/page-steps.js';
import { describeWith } from '../support/program.js';
import { Reader } from '../support/reader.js';

/** The commands of the manual, run as written; test/e2e/first-hour.test.ts runs those of README.md. */
const pages = Object.keys(pageSteps).filter((page) => pageSteps[page]?.some(([, { parsed }]) => parsed === undefined));

let reader: Reader;
beforeEach(() => {
  reader = new Reader();
});
afterEach(async () => {
  await reader.endsAll();
  reader.leaves();
});

describeWith(['curl', 'script'], 'the commands of', () => {
  test.each(pages.filter((page) => page !== 'README.md'))(
    '%s work as they are written',
    async (page) => {
      await expectPageWorks(page, reader, { without: [] });
    },
    180_000,
  );
});

describeWith(['git', 'npm'], 'a fresh clone in a folder with a space in its name', () => {
  test('is set up and run by the first command of README.md', () => {
    const clone = reader.path('My Projects (2)/document-crawler');
    // As it is on disk, so that a change is tried before it is committed.
    const tracked = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      encoding: 'utf8',
    });
    for (const file of tracked.stdout.split('\0').filter((name) => name !== '')) {
      mkdirSync(dirname(`${clone}/${file}`), { recursive: true });
      cpSync(file, `${clone}/${file}`);
    }
    const { TEST_NPM_CERTIFICATES: certificates = '' } = process.env;
    const env = reader.environment({ NODE_EXTRA_CA_CERTS: certificates });
    const shell = { cwd: clone, encoding: 'utf8', env } as const;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', 'npm ci && npm run example'], shell);
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    expect(stdout).toContain('The index holds 30 documents');
    const own = spawnSync('bash', ['-c', 'node bin/crawler.js ./docs --loop 1'], shell);
    expect([own.status, own.stderr]).toEqual([0, '']);
    expect(own.stdout).toMatch(/The index holds \d+ documents/);
  }, 240_000);
});
