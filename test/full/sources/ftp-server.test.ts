import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import { bytesOf, listed } from '../../contract/source-contract.js';
import { FtpServer, FTP_PASSWORD, type FtpServerOptions } from '../../support/ftp-server.js';
import { describeWith } from '../../support/program.js';
import { ftpSource } from '../../support/remote-sources.js';

const never = new AbortController().signal;
const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(options: FtpServerOptions = {}): Promise<FtpServer> {
  const server = await FtpServer.start(options);
  cleanups.push(() => server.stop());
  return server;
}

function open(...[server, place, overrides]: Parameters<typeof ftpSource>): ReturnType<typeof ftpSource> {
  const source = ftpSource(server, place, overrides);
  cleanups.push(() => source.close());
  return source;
}

const SERVERS: readonly (readonly [string, FtpServerOptions])[] = [
  ['MLSD', {}],
  ['LIST', { mlsd: false }],
  ['vsftpd', { kind: 'vsftpd' }],
];

describeWith(['proftpd', 'vsftpd'], 'FTP servers', () => {
  test('a refused login is [denied], in a sentence that keeps the password to itself', async () => {
    const server = await start();
    const source = open(server, { password: 'not the password' });
    const refusal = await source.probe(server.root, never).catch((error: unknown) => error as Error);
    expect(refusal).toMatchObject({ code: 'denied' });
    expect((refusal as Error).message).toMatch(/^Please check ftp user or password: ftp:\/\/127\.0\.0\.1:\d+ /);
    expect(JSON.stringify([refusal, (refusal as Error).message, (refusal as Error).cause])).not.toContain(
      'not the password',
    );
  });

  test.each(SERVERS)('%s: a folder or file that may not be read is [denied], never empty', async (_name, options) => {
    const server = await start(options);
    for (const [name, mode] of [
      ['closed', 0o000],
      ['entered only', 0o711],
    ] as const) {
      mkdirSync(join(server.files, name));
      writeFileSync(join(server.files, name, 'inside.txt'), 'x');
      chmodSync(join(server.files, name), mode);
    }
    writeFileSync(join(server.files, 'secret.txt'), 'x', { mode: 0o000 });
    const source = open(server);
    const entries = await listed(source, server.root);
    expect(entries.map(({ name }) => name)).toEqual(['closed', 'entered only', 'secret.txt']);
    for (const folder of entries.slice(0, 2)) {
      await expect(listed(source, folder.path)).rejects.toMatchObject({ code: 'denied' });
    }
    await expect(source.read(entries[2]!, never)).rejects.toMatchObject({ code: 'denied' });
  });

  test.each(SERVERS)('%s: links are shown as links, or followed, but never in a circle', async (_name, options) => {
    const server = await start(options);
    const { files, root } = server;
    const at = (name: string): string => (root === '/' ? `/${name}` : `${root}/${name}`);
    mkdirSync(join(files, 'a'));
    mkdirSync(join(files, 'b'));
    writeFileSync(join(files, 'a', 'file.txt'), 'linked');
    symlinkSync('a/file.txt', join(files, 'to file'));
    symlinkSync('a', join(files, 'to folder'));
    symlinkSync('nowhere', join(files, 'broken'));
    symlinkSync('..', join(files, 'a', 'up'));
    symlinkSync('../b', join(files, 'a', 'to b'));
    symlinkSync('../a', join(files, 'b', 'to a'));
    // Not every server shows links that lead nowhere, or up.
    const kinds = (entries: Awaited<ReturnType<typeof listed>>): string[] =>
      entries.filter(({ name }) => !['broken', 'up'].includes(name)).map(({ name, kind }) => `${name}: ${kind}`);

    expect(kinds(await listed(open(server), root))).toEqual([
      'a: folder',
      'b: folder',
      'to file: symlink',
      'to folder: symlink',
    ]);

    const following = open(server, {}, { followSymlinks: true });
    const entries = await listed(following, root);
    expect(kinds(entries)).toEqual(['a: folder', 'b: folder', 'to file: file', 'to folder: folder']);
    expect(entries.filter(({ name }) => name === 'broken').map(({ kind }) => kind)).not.toContain('file');
    const linked = entries.find(({ name }) => name === 'to file');
    expect([linked?.size, (await bytesOf(following, linked!)).toString()]).toEqual([6, 'linked']);
    expect(kinds(await listed(following, at('a')))).toEqual(['file.txt: file', 'to b: folder']);
    expect(kinds(await listed(following, at('a/to b')))).toEqual(['to a: loop']);
    const up = (await listed(following, at('a'))).filter(({ name }) => name === 'up');
    expect(up.map(({ kind }) => kind)).not.toContain('folder');
    expect(kinds(await listed(following, at('to folder')))).toEqual(['file.txt: file', 'to b: folder']);
  });

  test.each(SERVERS)('%s: shows who owns a file and who may read it', async (_name, options) => {
    const server = await start(options);
    writeFileSync(join(server.files, 'file.txt'), 'x');
    chmodSync(join(server.files, 'file.txt'), 0o640);
    const source = open(server);
    const [entry] = await listed(source, server.root);
    expect(await source.attributes(entry!, true, never)).toEqual({
      owner: expect.any(String) as unknown,
      group: expect.any(String) as unknown,
      permissions: 640,
    });
  });

  test('a file that is changed twice in a minute is looked at again when its listing shows no seconds', async () => {
    const server = await start({ mlsd: false });
    writeFileSync(join(server.files, 'now.txt'), 'x');
    writeFileSync(join(server.files, 'hours ago.txt'), 'x');
    const hoursAgo = Date.now() / 1000 - 3 * 3600;
    utimesSync(join(server.files, 'hours ago.txt'), hoursAgo, hoursAgo);
    const [old, recent] = await listed(open(server), server.root);
    expect([old?.version, recent?.version]).toEqual([undefined, 'recent']);
  });

  test('a server that allows two connections serves more readers than that, one after the other', async () => {
    const server = await start({ maxConnections: 2 });
    writeFileSync(join(server.files, 'file.bin'), Buffer.alloc(300_000, 'x'));
    const source = open(server, {}, { connections: 5 });
    const [entry] = await listed(source, server.root);
    const all = await Promise.all(Array.from({ length: 12 }, () => bytesOf(source, entry!)));
    expect(all.map(({ length }) => length)).toEqual(new Array(12).fill(300_000));
  });

  test('a relative root starts where the server puts the user', async () => {
    const server = await start({ mlsd: false });
    mkdirSync(join(server.files, 'docs/inner'), { recursive: true });
    writeFileSync(join(server.files, 'docs/inner/file.txt'), 'relative');
    const source = open(server);
    const [inner] = await listed(source, 'docs');
    const [file] = await listed(source, inner!.path);
    expect([file?.path, (await bytesOf(source, file!)).toString()]).toEqual(['docs/inner/file.txt', 'relative']);
  });

  test('a file that has become shorter since it was listed is read as it is now', async () => {
    const server = await start();
    writeFileSync(join(server.files, 'file.txt'), 'long content');
    const source = open(server);
    const [entry] = await listed(source, server.root);
    writeFileSync(join(server.files, 'file.txt'), 'short');
    expect((await bytesOf(source, entry!)).toString()).toBe('short');
  });

  test('the address of a file has neither user nor password', async () => {
    const server = await start();
    writeFileSync(join(server.files, 'a file.txt'), 'x');
    const [entry] = await listed(open(server), server.root);
    expect(open(server).urlOf(entry!)).toBe(`ftp://127.0.0.1:${server.port}${server.root}/a file.txt`);
    expect(open(server).urlOf(entry!)).not.toContain(FTP_PASSWORD);
  });

  test('reading continues while another file is held up by a slow reader', async () => {
    const server = await start();
    writeFileSync(join(server.files, 'large.bin'), Buffer.alloc(5_000_000, 'x'));
    const source = open(server);
    const [entry] = await listed(source, server.root);
    const slow = await source.read(entry!, never);
    expect(await bytesOf(source, entry!)).toHaveLength(5_000_000);
    expect(await buffer(slow)).toHaveLength(5_000_000);
  });
});
