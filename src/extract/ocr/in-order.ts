/**
 * The results of slow work in the order in which it was begun. While one is waited for, the next ones are under way: as many
 * as `atOnce` says at that moment. Work that nobody waits for any more may fail unheard.
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
