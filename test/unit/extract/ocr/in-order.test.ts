import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inOrder } from '../../../../src/extract/ocr/in-order.js';

async function all<T>(results: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const result of results) list.push(result);
  return list;
}

test('results come in the order of the works, whichever is finished first', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.nat()),
      fc.integer({ min: 1, max: 4 }),
      async (scheduler, works, most) => {
        const begun = works.map((work) => scheduler.schedule(Promise.resolve(work)));
        expect(await scheduler.waitFor(all(inOrder(begun, () => most)))).toEqual(works);
      },
    ),
  );
});

test('no more works are begun ahead than may be at the same time, as it is at that moment', async () => {
  let begun = 0;
  let atOnce = 2;
  function* works(): Generator<Promise<number>> {
    for (let index = 0; index < 10; index++) yield Promise.resolve(begun++);
  }
  const ahead: number[] = [];
  for await (const result of inOrder(works(), () => atOnce)) {
    ahead.push(begun - result);
    if (result === 3) atOnce = 4;
  }
  expect(ahead).toEqual([3, 3, 3, 3, 5, 5, 4, 3, 2, 1]);
});

test('a failure is heard by whoever waits for it, and later ones by nobody', async () => {
  const works = [Promise.resolve(1), Promise.reject(new Error('first')), Promise.reject(new Error('second'))];
  const results: number[] = [];
  await expect(
    (async () => {
      for await (const result of inOrder(works, () => 3)) results.push(result);
    })(),
  ).rejects.toThrow('first');
  expect(results).toEqual([1]);
});
