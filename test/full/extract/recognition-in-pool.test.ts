import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import type { Extraction, OcrOptions } from '../../../src/extract/extraction.js';
import { defaultLimits, type ExtractionLimits } from '../../../src/extract/limits.js';
import { ExtractionPool } from '../../../src/extract/runtime/pool/extraction-pool.js';
import { requestFor } from '../../support/extraction-request.js';
import { FakeTesseract } from '../../support/fake-tesseract.js';
import { isAlive, until } from '../../support/misbehaving-sandbox.js';
import { PdfBuilder } from '../../support/pdf-builder.js';
import { onPage, pictureOfText, toPng, type GreyPicture } from '../../support/picture-of-text.js';
import { tempDir } from '../../support/temp-dir.js';

/** Recognition in the real processes of the pool; the program that recognises is a script. */
const root = tempDir();
const never = new AbortController().signal;
let picture: GreyPicture;
let pool: ExtractionPool | undefined;

beforeAll(async () => {
  picture = await pictureOfText('Scanned words');
});

afterEach(async () => {
  await pool?.close();
  pool = undefined;
});

function makePool(size: number, documentMs: number): ExtractionPool {
  const limits: ExtractionLimits = { ...defaultLimits, worker: { ...defaultLimits.worker, documentMs } };
  pool = new ExtractionPool({ size, logger: silentLogger, limits });
  return pool;
}

function fake(deed: string): FakeTesseract {
  return new FakeTesseract(mkdtempSync(join(root, 'bin-')), deed);
}

function scans(pages: number): Buffer {
  const builder = new PdfBuilder();
  return builder.build({ pages: Array.from({ length: pages }, () => ({ lines: [], ...onPage(builder, picture) })) });
}

function extract(from: ExtractionPool, bytes: Uint8Array, ocr: OcrOptions, signal = never): Promise<Extraction> {
  return from.extract(requestFor('a.file', bytes, { ocr }), signal);
}

function running(program: FakeTesseract): number[] {
  return program.calls.map(({ pid }) => pid).filter((pid) => isAlive(pid));
}

/** How many pictures were read at the same time at most, from marks of their beginnings and ends. */
function mostAtOnce(marks: string): number {
  let now = 0;
  let most = 0;
  for (const mark of marks.replace(/[^+-]/g, '')) {
    now += mark === '+' ? 1 : -1;
    most = Math.max(most, now);
  }
  return most;
}

describe('the time limit of a document', () => {
  test('does not count the time for recognition', async () => {
    const program = fake('sleep 2; echo page');
    const { text, problem } = await extract(makePool(1, 8_000), scans(5), program.options);
    expect(problem).toBeUndefined();
    expect(text.match(/page/g)).toHaveLength(5);
  });

  test('counts again when recognition has used up its own', async () => {
    const program = fake('sleep 1; echo page');
    const ocr = { ...program.options, documentTimeoutMs: 3_000 };
    const { text, problem, warnings } = await extract(makePool(1, 10_000), scans(8), ocr);
    expect(problem).toBeUndefined();
    expect(text).toContain('page');
    expect(warnings).toEqual(['The rest of the document is not recognised: it took longer than 3 s.']);
  });
});

describe('pages at the same time', () => {
  test('take the cores of idle processes', async () => {
    const marks = join(mkdtempSync(join(root, 'marks-')), 'marks');
    const program = fake(`echo + >> ${marks}; sleep 0.3; echo - >> ${marks}; echo page`);
    await extract(makePool(3, 30_000), scans(9), program.options);
    expect(mostAtOnce(readFileSync(marks, 'utf8'))).toBe(3);
    expect(program.calls).toHaveLength(9);
  });

  test('are no more than there are cores when every process has work', async () => {
    const marks = join(mkdtempSync(join(root, 'marks-')), 'marks');
    const program = fake(`echo + >> ${marks}; sleep 0.2; echo - >> ${marks}; echo page`);
    const two = makePool(2, 30_000);
    await Promise.all([1, 2, 3, 4].map(() => extract(two, scans(5), program.options)));
    // A document that begins while another one uses both cores waits for a page of that, not for its end.
    expect(mostAtOnce(readFileSync(marks, 'utf8'))).toBeLessThanOrEqual(3);
    expect(program.calls).toHaveLength(20);
  });
});

describe('no program is left behind', () => {
  test('when the pool is closed', async () => {
    const program = fake('exec sleep 60');
    const one = makePool(1, 30_000);
    const outcome = extract(one, toPng(picture), program.options).catch((error: unknown) => error);
    await until(() => running(program).length === 1);
    await one.close();
    expect(await outcome).toMatchObject({ code: 'cancelled' });
    await until(() => running(program).length === 0);
    expect(running(program)).toEqual([]);
  });

  test('when nobody wants the document any more', async () => {
    const program = fake('exec sleep 60');
    const leave = new AbortController();
    const one = makePool(1, 30_000);
    const outcome = extract(one, toPng(picture), program.options, leave.signal).catch((error: unknown) => error);
    await until(() => running(program).length === 1);
    leave.abort();
    expect(await outcome).toMatchObject({ code: 'cancelled' });
    await until(() => running(program).length === 0);
    expect(running(program)).toEqual([]);
  });

  test('when the extraction process is killed', async () => {
    const program = fake('[ -e "$0".done ] && { echo second; exit; }; touch "$0".done; sleep 60');
    const one = makePool(1, 30_000);
    const extraction = extract(one, toPng(picture), program.options);
    // The program is there before it has left its mark.
    await until(() => running(program).length === 1 && existsSync(`${program.path}.done`));
    process.kill(parentOf(running(program)[0]!), 'SIGKILL');
    expect((await extraction).text).toBe('second\n');
    await until(() => running(program).length === 0);
    expect(running(program)).toEqual([]);
  });
});

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
