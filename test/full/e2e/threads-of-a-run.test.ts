import { expect, test } from '@jest/globals';
import { Database } from '../../../src/base/sqlite.js';
import { Person } from '../../support/person.js';

/** Every thread takes about 12 MB, and time to start. */
test('a run that finds nothing changed has no thread but that of the crawl', async () => {
  const person = new Person();
  try {
    // More documents than are checked as a whole when their job opens the index.
    for (let at = 0; at <= 1000; at += 1) person.writes(`docs/${at}.txt`);
    const threadsOf = async (args: readonly string[]): Promise<readonly string[]> => {
      const { code, stdout, stderr } = await person.types(args, { env: { NODE_DEBUG: 'worker' } });
      expect(code).toBe(0);
      expect(stdout).toContain('1,001 documents');
      // Each is a module of the build, and a file of the package with a similar name.
      const started = stderr.matchAll(/instantiating Worker.*\/[\w-]*?(crawl|listing|reader|writer)[\w-]*\.c?js/g);
      return [...started].map(([, name = '']) => name).sort();
    };
    expect(await threadsOf(['./docs', '--loop', '1'])).toEqual(['crawl', 'writer']);
    expect(await threadsOf(['./docs', '--loop', '1'])).toEqual(['crawl']);

    // As after a run that was stopped: what the index holds is counted once.
    const database = new Database(person.path('.crawler/docs/index.db'));
    database.exec(`DELETE FROM property WHERE name GLOB 'overview:*'`);
    database.close();
    expect(await threadsOf(['./docs', '--loop', '1'])).toEqual(['crawl', 'writer']);
    expect(await threadsOf(['./docs', '--loop', '1'])).toEqual(['crawl']);
  } finally {
    person.leaves();
  }
}, 60_000);
