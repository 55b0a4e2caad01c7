import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { runCrawler, startCrawler, type RunningCrawler } from '../../support/crawler-process.js';
import { descendantsOf } from '../../support/program.js';
import { withTempDir } from '../../support/temp-dir.js';

const SERVICE = ['--rest', '--set', 'rest.url=http://127.0.0.1:0'];

// What Linux calls nice: the higher, the less of the processor where others want it. Units of systemd ask for 10.
test.each([0, 10])(
  'answers go before a crawl: its thread and its processes come behind a service of nice %i',
  async (nice) => {
    await crawls(SERVICE, ['nice', '-n', String(nice)], ({ pid }) => {
      expect(niceOf(pid, pid)).toBe(niceness(nice));
      expect(niceOfThreads(pid)).toContain(niceness(nice + 5));
      const processes = descendantsOf(pid);
      // The broker, the tool that isolates, and the process that reads.
      expect(processes.length).toBeGreaterThanOrEqual(1);
      expect(processes.filter((each) => niceOf(each, each) !== niceness(nice + 5))).toEqual([]);
    });
  },
  60_000,
);

test('without a service nobody asks: nothing has a lower priority', async () => {
  await crawls([], [], ({ pid }) => {
    expect(new Set(niceOfThreads(pid))).toEqual(new Set([niceness(0)]));
    const processes = descendantsOf(pid);
    expect(processes.length).toBeGreaterThanOrEqual(1);
    expect(processes.filter((each) => niceOf(each, each) !== niceness(0))).toEqual([]);
  });
}, 60_000);

// With the lowest priority of all, a backup of two megabytes took a minute beside six other programs.
test('a backup comes behind everything else, but not last', async () => {
  await withTempDir(async (folder) => {
    const docs = join(folder, 'docs');
    mkdirSync(docs);
    writeFileSync(join(docs, 'a.txt'), 'A lighthouse.');
    const job = [docs, '--config_dir', join(folder, 'config')];
    expect(await runCrawler([...job, '--loop', '1'])).toMatchObject({ code: 0 });
    const target = join(folder, 'backup');
    const { child, finished } = startCrawler(['backup', ...job, '--to', target]);
    const { pid = 0 } = child;
    let seen = niceness(0);
    while (child.exitCode === null) {
      if (existsSync(`${target}.partial`)) seen = Math.max(seen, niceOf(pid, pid));
      await new Promise(setImmediate);
    }
    expect(await finished).toMatchObject({ code: 0 });
    expect(seen).toBe(niceness(10));
  });
}, 60_000);

/** The tests may be run under `nice` themselves. */
function niceness(steps: number): number {
  return Math.min(19, getPriority() + steps);
}

/** Looks at the program once it has indexed a document, while it waits for its next run. */
async function crawls(
  options: readonly string[],
  prefix: readonly string[],
  look: (program: { readonly pid: number }) => void,
): Promise<void> {
  await withTempDir(async (folder) => {
    const docs = join(folder, 'docs');
    mkdirSync(docs);
    // A plain text would need no process.
    writeFileSync(join(docs, 'a.html'), '<p>A lighthouse.</p>');
    const crawler: RunningCrawler = startCrawler(
      [docs, '--config_dir', join(folder, 'config'), ...options],
      {},
      prefix,
    );
    await crawler.printed('indexed [1]');
    look({ pid: crawler.child.pid ?? 0 });
    crawler.child.kill('SIGTERM');
    expect((await crawler.finished).code).toBe(0);
  });
}

function niceOfThreads(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => niceOf(pid, Number(thread)));
}

function niceOf(pid: number, thread: number): number {
  // The name of a program may hold spaces and brackets.
  const [, rest = ''] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')) ?? [];
  return Number(rest.split(' ')[16]);
}
