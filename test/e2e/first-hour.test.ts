import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { commandsOf, fencesOf, manualPages, mentionsOf, programArguments } from '../support/page-commands.js';
import { pageSteps } from '../support/page-steps.js';
import { expectPageWorks } from '../support/expect-page-works.js';
import { faultOf, unknownOptions } from '../support/parsed-by-program.js';
import { findProgram } from '../support/program.js';
import { Reader } from '../support/reader.js';

/**
 * The commands of README.md and of the manual, taken from the text of the pages. All of them are known and parsed here, and
 * those of README.md are run; test/full/first-hour.test.ts runs those of the other pages.
 */
const pages = manualPages();

describe.each(pages)('%s', (page) => {
  test('has no command that is not tried', () => {
    expect((pageSteps[page] ?? []).map(([command]) => command)).toEqual(commandsOf(page));
  });

  test('says of each block what it is', () => {
    for (const { language, lines } of fencesOf(page)) {
      expect([lines[0], language]).toEqual([lines[0], expect.stringMatching(/^\w+$/)]);
    }
  });

  test('gives the program what the program takes', async () => {
    for (const args of commandsOf(page).flatMap((line) => programArguments(line))) {
      expect([args, await faultOf(args)]).toEqual([args, undefined]);
    }
    for (const args of mentionsOf(page).flatMap((line) => programArguments(line))) {
      expect([args, unknownOptions(args)]).toEqual([args, []]);
    }
  });
});

test('every page of the table exists', () => {
  expect(Object.keys(pageSteps).filter((page) => !pages.includes(page))).toEqual([]);
});

describe('README.md', () => {
  let reader: Reader;
  beforeEach(() => {
    reader = new Reader();
  });
  afterEach(async () => {
    await reader.endsAll();
    reader.leaves();
  });

  test('works as it is written', async () => {
    await expectPageWorks('README.md', reader, { without: findProgram('curl') === undefined ? ['curl'] : [] });
  }, 120_000);
});
