import { expect, test } from '@jest/globals';
import { Person } from '../../support/person.js';

/** A process that ends while a thread loads SQLite would end by SIGABRT. */
test('what is refused while threads are getting ready ends with its exit code, every time', async () => {
  const person = new Person();
  try {
    person.writes('docs/a.txt');
    expect((await person.types(['./docs', '--loop', '1'])).code).toBe(0);
    person.writes('.crawler/docs/job.lock', 'garbage '.repeat(1000));
    for (let round = 0; round < 4; round += 1) {
      const crawls = [1, 2, 3].map(() => person.types(['./docs', '--loop', '1']));
      const searches = [1, 2, 3].map(() => person.types(['search', 'docs', '"not closed']));
      expect((await Promise.all([...crawls, ...searches])).map(({ code }) => code)).toEqual([1, 1, 1, 1, 1, 1]);
    }
  } finally {
    person.leaves();
  }
}, 120_000);
