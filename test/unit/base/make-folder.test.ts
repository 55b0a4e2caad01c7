import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { CrawlerError } from '../../../src/base/errors.js';
import { makeFolder } from '../../../src/base/make-folder.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crawler-folder-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

function refusalOf(path: string): string {
  try {
    makeFolder(path, 'The config directory');
  } catch (error) {
    if (error instanceof CrawlerError && error.code === 'denied') return error.message;
    throw error;
  }
  throw new Error(`[${path}] was made.`);
}

test('what is missing is made for this user alone, and what exists stays as it is', () => {
  mkdirSync(join(directory, 'open'), { mode: 0o755 });
  makeFolder(join(directory, 'open', 'a', 'b'), 'It');
  makeFolder(join(directory, 'open', 'a', 'b'), 'It');
  expect([modeOf(join(directory, 'open')), modeOf(join(directory, 'open', 'a'))]).toEqual([0o755, 0o700]);
  expect(modeOf(join(directory, 'open', 'a', 'b'))).toBe(0o700);
});

test('a link to a folder will do', () => {
  symlinkSync(directory, join(directory, 'link'));
  makeFolder(join(directory, 'link', 'new'), 'It');
  expect(existsSync(join(directory, 'new'))).toBe(true);
});

describe('a sentence says what is in the way', () => {
  test('of a folder below a file', () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'x'), join(file, 'x', 'y')]) {
      expect(refusalOf(path)).toBe(
        `The config directory [${path}] cannot be made: [${file}] is not a folder. Choose another folder.`,
      );
    }
  });

  test('of a link that leads nowhere', () => {
    const link = join(directory, 'link');
    symlinkSync(join(directory, 'nowhere'), link);
    expect(refusalOf(join(link, 'x'))).toContain(`[${link}] is a link that leads nowhere`);
  });

  test('of a name that is too long', () => {
    expect(refusalOf(join(directory, 'x'.repeat(300)))).toContain('its name is too long');
  });

  test('of a file system that takes no folders, at once', () => {
    // Only Linux has it; elsewhere the root is not for everybody either.
    const place = existsSync('/proc/self') ? '/proc' : '/';
    expect(refusalOf(join(place, 'crawler-x', 'y'))).toContain(`[${place}]`);
  });
});
