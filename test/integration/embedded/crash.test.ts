import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import { EmbeddedEngine } from '../../../src/engine/embedded/embedded-engine.js';
import { tempDir } from '../../support/temp-dir.js';
import { checkFile, startWriting } from './writing-process.js';

const SIGNAL = new AbortController().signal;
const directory = tempDir();

test.each([1, 2, 3, 4, 5, 6])(
  'killed while it writes, every acknowledged document is there (round %i)',
  async (round) => {
    const { child, ended } = startWriting(directory, 'endless', `r${round}`);
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    await sleep(Math.random() * 400);
    child.kill('SIGKILL');
    const acknowledged = (await ended).trim().split('\n').map(Number);

    const engine = new EmbeddedEngine({ directory, baseUrl: () => undefined, version: '0', logger: silentLogger });
    const identity = await engine.prepare(SIGNAL);
    for (const number of acknowledged) {
      const found = await engine.count('docs', { match_phrase: { content: `n${number}` } }, SIGNAL);
      expect(found).toBeGreaterThanOrEqual(20);
      await expect(engine.get('docs', `r${round}-${number}-19`, SIGNAL)).resolves.toBeDefined();
    }
    const [summary] = await engine.indices(SIGNAL);
    await engine.close();
    expect(acknowledged.length).toBeGreaterThan(0);
    const { documents, ...rest } = checkFile(join(directory, 'index.db'));
    expect(rest).toEqual({ integrity: 'ok', bodies: documents, texts: documents });
    // A commit that was on disk but not announced when the process died is seen by the first opening after the last close:
    // one batch that nobody was told of may appear late, never one less.
    expect([0, 20]).toContain(documents - (summary?.documents ?? 0));
    expect(identity).toEqual(await reopenedIdentity());
  },
);

async function reopenedIdentity(): Promise<unknown> {
  const engine = new EmbeddedEngine({ directory, baseUrl: () => undefined, version: '0', logger: silentLogger });
  const identity = await engine.prepare(SIGNAL);
  await engine.close();
  return identity;
}
