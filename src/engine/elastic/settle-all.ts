/**
 * The results of works that run side by side. When some of them fail it throws the first failure by order, but only after
 * all have ended: nothing continues after the caller was answered.
 */
export async function settleAll<T>(works: readonly Promise<T>[]): Promise<readonly T[]> {
  const settled = await Promise.allSettled(works);
  return settled.map((each) => {
    if (each.status === 'fulfilled') return each.value;
    throw each.reason;
  });
}
