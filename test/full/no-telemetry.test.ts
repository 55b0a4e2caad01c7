import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { describeWith, findProgram } from '../support/program.js';
import { tempDir } from '../support/temp-dir.js';

/**
 * What the program asks the system for, in all its threads and processes: a crawl of a folder into the embedded index opens no
 * connection and resolves no name. There is no telemetry and no check for updates.
 */
describeWith(['strace'], 'without an engine and a remote source', () => {
  test.each([['crawl'], ['search']])(
    'a %s speaks to nobody',
    (what) => {
      const directory = tempDir();
      const docs = join(directory, 'docs');
      cpSync('examples/documents/texts', docs, { recursive: true });
      const trace = join(directory, 'trace');
      const crawler = (...args: string[]): string =>
        execFileSync(
          findProgram('strace') ?? '',
          [
            '-f',
            '--seccomp-bpf',
            '-e',
            'trace=connect,sendto,sendmsg,bind',
            '-o',
            trace,
            process.execPath,
            resolve('bin/crawler.js'),
            ...args,
          ],
          { env: { ...process.env, HOME: directory, NODE_OPTIONS: '' }, encoding: 'utf8' },
        );
      expect(crawler(docs, '--loop', '1', '--set', 'fs.ocr.enabled=false')).toMatch(/indexed \[[1-9]/);
      if (what === 'search') expect(crawler('search', docs, 'harbour')).not.toBe('');
      const calls = readFileSync(trace, 'utf8').split('\n');
      expect(calls.length).toBeGreaterThan(5);
      expect(calls.filter((line) => line.includes('AF_INET'))).toEqual([]);
    },
    120_000,
  );
});
