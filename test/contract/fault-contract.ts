import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { joinPath } from '../../src/base/path.js';
import type { TreeSource } from '../../src/source/source.js';
import type { CuttingProxy, Fault } from '../support/cutting-proxy.js';
import type { SourceTree } from '../support/source-tree.js';
import { bytesOf, listed } from './source-contract.js';

/** A source that reaches its server through a cable that can be cut. Its timeouts are short. */
export interface FaultPlace {
  readonly tree: SourceTree;
  readonly proxy: CuttingProxy;
  readonly server: { restart(): Promise<void>; down(): Promise<void>; up(): Promise<void> };
  open(): TreeSource;
  /** Ports over which files and listings come; all of them when left out. */
  readonly dataPorts?: (port: number) => boolean;
  end(): Promise<void>;
}

const never = new AbortController().signal;
const FILES = 1500;
const LARGE = 2_000_003;
/** More than the buffers on the way hold together. */
const HUGE = 24_000_001;

/**
 * What every remote source promises on a bad network: nothing looks complete that is not, and the next call on the same
 * source works again once the network does.
 */
export function faultContract(name: string, open: () => Promise<FaultPlace>): void {
  describe(`${name} on a bad network`, () => {
    let place: FaultPlace;
    let source: TreeSource;
    const at = (path: string): string => joinPath(place.tree.root, path);
    const plan = (kind: Fault['kind'], afterBytes: number): void =>
      place.proxy.plan({ kind, afterBytes, ...(place.dataPorts === undefined ? {} : { ports: place.dataPorts }) });
    /** Kills the server when so many bytes have come from it, and starts it again. Resolves when it is back. */
    const restartAfter = (afterBytes: number): Promise<void> =>
      new Promise((resolve, reject) => {
        const then = (): void => {
          place.server.restart().then(resolve, reject);
        };
        const ports = place.dataPorts === undefined ? {} : { ports: place.dataPorts };
        place.proxy.plan({ kind: 'tell', afterBytes, then, ...ports });
      });
    const expectAllWell = async (): Promise<void> => {
      expect(await listed(source, at('many'))).toHaveLength(FILES);
      const [large] = await listed(source, at('large'));
      expect(await bytesOf(source, large!)).toHaveLength(LARGE);
    };

    beforeAll(async () => {
      place = await open();
      const names = Array.from({ length: FILES }, (_, index) => `a file with a longer name, number ${index}.txt`);
      await Promise.all(names.map((each) => place.tree.write(`many/${each}`, 'x')));
      await place.tree.write('large/large.bin', Buffer.alloc(LARGE, 'large '));
      source = place.open();
      await expectAllWell();
    });

    afterEach(() => place.proxy.restore());

    afterAll(async () => {
      await source.close();
      await place.proxy.stop();
      await place.end();
    });

    test.each([1, 500, 5_000, 50_000])('a listing that is cut after %d bytes throws [unavailable]', async (bytes) => {
      plan('cut', bytes);
      await expect(listed(source, at('many'))).rejects.toMatchObject({ name: 'CrawlerError', code: 'unavailable' });
      place.proxy.restore();
      await expectAllWell();
    });

    test.each([1, 500, 5_000, 50_000])(
      'a listing that meets a hiccup after %d bytes is whole or throws',
      async (bytes) => {
        plan('hiccup', bytes);
        const length = await listed(source, at('many')).then(
          (entries) => entries.length,
          (error: unknown) => (error as { code: string }).code,
        );
        expect([FILES, 'unavailable']).toContain(length);
        await expectAllWell();
      },
    );

    test.each([1, 50_000, 1_000_000])('a read that is cut after %d bytes fails as [unavailable]', async (bytes) => {
      const [large] = await listed(source, at('large'));
      plan('cut', bytes);
      await expect(source.read(large!, never).then(buffer)).rejects.toMatchObject({ code: 'unavailable' });
      place.proxy.restore();
      await expectAllWell();
    });

    test('a read whose connection is closed politely in the middle is no complete file', async () => {
      const [large] = await listed(source, at('large'));
      plan('close', 1_000_000);
      await expect(source.read(large!, never).then(buffer)).rejects.toMatchObject({ code: 'unavailable' });
      await expectAllWell();
    });

    test('a listing that stands still is given up as [unavailable]', async () => {
      plan('stall', 5_000);
      await expect(listed(source, at('many'))).rejects.toMatchObject({ code: 'unavailable' });
      place.proxy.restore();
      await expectAllWell();
    });

    test('a read that stands still is given up as [unavailable]', async () => {
      const [large] = await listed(source, at('large'));
      plan('stall', 500_000);
      await expect(source.read(large!, never).then(buffer)).rejects.toMatchObject({ code: 'unavailable' });
      place.proxy.restore();
      await expectAllWell();
    });

    test('reads side by side all fail when the cable is cut, and all work afterwards', async () => {
      const [large] = await listed(source, at('large'));
      plan('cut', 3_000_000);
      const ends = await Promise.allSettled(Array.from({ length: 8 }, () => source.read(large!, never).then(buffer)));
      const wrong = ends.filter((end) => end.status === 'fulfilled' && end.value.length !== LARGE);
      expect(wrong).toEqual([]);
      const codes = ends.flatMap((end) => (end.status === 'rejected' ? [(end.reason as { code: string }).code] : []));
      expect(new Set(codes)).toEqual(new Set(['unavailable']));
      place.proxy.restore();
      await expectAllWell();
    });

    test('a server that is killed and started again in the middle of a read leaves no half a file', async () => {
      await place.tree.write('huge/huge.bin', Buffer.alloc(HUGE, 'huge '));
      const [huge] = await listed(source, at('huge'));
      const restarted = restartAfter(1_000_000);
      await expect(source.read(huge!, never).then(buffer)).rejects.toMatchObject({ code: 'unavailable' });
      await restarted;
      expect(await bytesOf(source, huge!)).toHaveLength(HUGE);
    });

    test('a server that is killed and started again in the middle of a listing leaves no half a folder', async () => {
      const restarted = restartAfter(5_000);
      const length = await listed(source, at('many')).then(
        (entries) => entries.length,
        (error: unknown) => (error as { code: string }).code,
      );
      expect([FILES, 'unavailable']).toContain(length);
      await restarted;
      await expectAllWell();
    });

    test('a server that is away is [unavailable], in a sentence that names it, until it is back', async () => {
      await place.server.down();
      place.proxy.breakAll();
      await expect(source.probe(place.tree.root, never)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining(`127.0.0.`) as unknown,
      });
      await place.server.up();
      await expectAllWell();
    });

    test('a server that was restarted while nothing was asked is asked again without anybody noticing', async () => {
      await place.server.restart();
      await expectAllWell();
    });

    test('a cable that is cut while nothing was asked is not noticed either', async () => {
      place.proxy.breakAll();
      await expectAllWell();
    });

    test('after close no connection is left open', async () => {
      const another = place.open();
      await another.probe(place.tree.root, never);
      await source.close();
      await another.close();
      await expect(source.probe(place.tree.root, never)).rejects.toMatchObject({ code: 'cancelled' });
      // The other end learns of it a moment later.
      for (let turn = 0; turn < 100 && place.proxy.openPorts.length > 0; turn += 1) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(place.proxy.openPorts).toEqual([]);
      source = place.open();
    });
  });
}
