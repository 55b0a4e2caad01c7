import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import type { FtpSource } from '../../../src/source/ftp/ftp-source.js';
import { bytesOf, listed } from '../../contract/source-contract.js';
import { FtpServer, type FtpServerOptions } from '../../support/ftp-server.js';
import { describeWith } from '../../support/program.js';
import { ftpSource } from '../../support/remote-sources.js';

const never = new AbortController().signal;

/** A name by its bytes. */
function write(folder: string, name: Uint8Array | string, text: string): void {
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)]), text);
}

function suite(
  name: string,
  options: FtpServerOptions,
  tests: (at: () => { server: FtpServer; source: FtpSource }) => void,
): void {
  describe(name, () => {
    let server: FtpServer;
    let source: FtpSource;
    beforeAll(async () => {
      server = await FtpServer.start(options);
      source = ftpSource(server);
    });
    afterAll(async () => {
      await source.close();
      await server.stop();
    });
    tests(() => ({ server, source }));
  });
}

describeWith(['proftpd'], 'FTP names', () => {
  suite('of a server that speaks UTF-8', {}, (at) => {
    test('bytes that are no UTF-8 are shown escaped, and lead to the file', async () => {
      const { server, source } = at();
      write(server.files, Buffer.from('caf\xe9.txt', 'latin1'), 'latin');
      write(server.files, 'caf\\xE8.txt', 'backslash');
      const entries = await listed(source, server.root);
      expect(entries.map((entry) => entry.name)).toEqual(['caf\\xE8.txt', 'caf\\xE9.txt']);
      expect(await Promise.all(entries.map(async (entry) => (await bytesOf(source, entry)).toString()))).toEqual([
        'backslash',
        'latin',
      ]);
    });

    test('a name with a line break is listed whole; that FTP cannot ask for it is said', async () => {
      const { server, source } = at();
      const folder = join(server.files, 'breaks');
      mkdirSync(folder);
      write(folder, 'one\ntwo.txt', 'x');
      write(folder, 'three.txt', 'x');
      const entries = await listed(source, `${server.root}/breaks`);
      expect(entries.map(({ name }) => name)).toEqual(['one\ntwo.txt', 'three.txt']);
      await expect(source.read(entries[0]!, never)).rejects.toMatchObject({
        code: 'denied',
        message: expect.stringContaining('line break') as unknown,
      });
    });
  });

  suite('of a server that refuses UTF-8', { utf8: false }, (at) => {
    test('are GBK where they are not UTF-8, folder by folder and mixed', async () => {
      const { server, source } = at();
      const folder = Buffer.concat([Buffer.from(`${server.files}/`), iconv.encode('文档', 'gbk')]);
      mkdirSync(folder);
      for (const name of [iconv.encode('报告.txt', 'gbk'), Buffer.from('Büro.txt')]) {
        writeFileSync(Buffer.concat([folder, Buffer.from('/'), name]), name);
      }
      const [shown] = await listed(source, server.root);
      expect(shown?.name).toBe('文档');
      const entries = await listed(source, shown!.path);
      expect(entries.map(({ name }) => name)).toEqual(['Büro.txt', '报告.txt']);
      expect(await bytesOf(source, entries[1]!)).toEqual(iconv.encode('报告.txt', 'gbk'));
      expect(await bytesOf(source, entries[0]!)).toEqual(Buffer.from('Büro.txt'));
    });
  });

  suite('in listings for people', { mlsd: false }, (at) => {
    test('a listing with a line that cannot be understood is refused as a whole, since the line may be a file', async () => {
      const { server, source } = at();
      write(server.files, 'one\ntwo.txt', 'x');
      await expect(listed(source, server.root)).rejects.toMatchObject({
        code: 'denied',
        message: expect.stringContaining('two.txt') as unknown,
      });
    });
  });
});
