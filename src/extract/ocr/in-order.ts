/**
 * Yields the results of slow tasks in the order in which they were started. Up to `atOnce` tasks run in parallel. Errors of
 * tasks that are no longer awaited are ignored.
 */
export async function* inOrder<T>(works: Iterable<Promise<T>>, atOnce: () => number): AsyncGenerator<T> {
  const underWay: Promise<T>[] = [];
  for (const work of works) {
    void work.catch(() => undefined);
    underWay.push(work);
    while (underWay.length > atOnce()) {
      const [first] = underWay;
      if (first !== undefined) yield await first;
      void underWay.shift();
    }
  }
  for (const work of underWay) yield await work;
}
