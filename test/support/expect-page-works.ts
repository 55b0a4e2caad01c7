import { expect } from '@jest/globals';
import { pageSteps } from './page-steps.js';
import type { Reader } from './reader.js';

/** Types the commands of a page one after the other, and expects of each what the table says. */
export async function expectPageWorks(
  page: string,
  reader: Reader,
  { without }: { readonly without: readonly string[] },
): Promise<void> {
  for (const [command, step] of pageSteps[page] ?? []) {
    if (step.parsed !== undefined || without.includes(command.split(' ', 1)[0] ?? '')) continue;
    await step.before?.(reader);
    const { code, output } = await reader.follows(command, step);
    expect([command, code, output]).toEqual([command, step.code ?? 0, expect.stringMatching(step.prints ?? /^/)]);
  }
  expect(await reader.endsAll()).toEqual([]);
}
