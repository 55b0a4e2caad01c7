import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { bytesOf, listed } from '../../contract/source-contract.js';
import { describeWith } from '../../support/program.js';
import { sshSource } from '../../support/remote-sources.js';
import { SshServer } from '../../support/ssh-server.js';

const never = new AbortController().signal;

describeWith(['sshd'], 'SSH trees', () => {
  let server: SshServer;
  let folder: string;
  let count = 0;
  const opened: ReturnType<typeof sshSource>[] = [];
  const open = (overrides: Parameters<typeof sshSource>[2] = {}): ReturnType<typeof sshSource> => {
    const source = sshSource(server, {}, overrides);
    opened.push(source);
    return source;
  };

  beforeAll(async () => {
    server = await SshServer.start({ maxSessions: 2 });
  });
  beforeEach(() => {
    folder = join(server.files, String((count += 1)));
    mkdirSync(folder);
  });
  afterEach(async () => {
    for (const source of opened.splice(0)) await source.close();
  });
  afterAll(() => server.stop());

  test('a folder or file that may not be read is [denied]', async () => {
    for (const [name, mode] of [
      ['closed', 0o000],
      ['entered only', 0o711],
    ] as const) {
      mkdirSync(join(folder, name));
      chmodSync(join(folder, name), mode);
    }
    writeFileSync(join(folder, 'secret.txt'), 'x', { mode: 0o000 });
    const source = open();
    const entries = await listed(source, folder);
    for (const each of entries.slice(0, 2)) {
      await expect(listed(source, each.path)).rejects.toMatchObject({ code: 'denied' });
    }
    await expect(source.read(entries[2]!, never)).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringMatching(/secret\.txt\] on ssh:\/\/127\.0\.0\.1:\d+ cannot be read/) as unknown,
    });
  });

  test('a folder that is read like a file is [denied]', async () => {
    const source = open();
    const entry = await source.stat(folder, never);
    await expect(bytesOf(source, entry)).rejects.toMatchObject({ code: 'denied' });
  });

  test('links are shown as links, or followed, but never in a circle; other things are special', async () => {
    mkdirSync(join(folder, 'a'));
    mkdirSync(join(folder, 'b'));
    writeFileSync(join(folder, 'a', 'file.txt'), 'linked');
    symlinkSync('a/file.txt', join(folder, 'to file'));
    symlinkSync('a', join(folder, 'to folder'));
    symlinkSync('nowhere', join(folder, 'broken'));
    symlinkSync('itself', join(folder, 'itself'));
    symlinkSync('..', join(folder, 'a', 'up'));
    symlinkSync('../b', join(folder, 'a', 'to b'));
    symlinkSync('../a', join(folder, 'b', 'to a'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const kinds = async (path: string, followSymlinks: boolean): Promise<string[]> =>
      (await listed(open({ followSymlinks }), path)).map(({ name, kind }) => `${name}: ${kind}`);
    expect(await kinds(folder, false)).toEqual([
      'a: folder',
      'b: folder',
      'broken: symlink',
      'itself: symlink',
      'pipe: special',
      'to file: symlink',
      'to folder: symlink',
    ]);
    expect(await kinds(folder, true)).toEqual([
      'a: folder',
      'b: folder',
      'broken: dangling',
      'itself: dangling',
      'pipe: special',
      'to file: file',
      'to folder: folder',
    ]);
    expect(await kinds(join(folder, 'a'), true)).toEqual(['file.txt: file', 'to b: folder', 'up: loop']);
    expect(await kinds(join(folder, 'a/to b'), true)).toEqual(['to a: loop']);
    expect(await kinds(join(folder, 'to folder'), true)).toEqual(['file.txt: file', 'to b: folder', 'up: loop']);
    const source = open({ followSymlinks: true });
    const linked = (await listed(source, folder)).find(({ name }) => name === 'to file');
    expect([linked?.size, (await bytesOf(source, linked!)).toString()]).toEqual([6, 'linked']);
  });

  test('shows when a file was changed and read, to the second, and no other dates', async () => {
    writeFileSync(join(folder, 'file.txt'), 'x');
    utimesSync(join(folder, 'file.txt'), 1_600_000_000, 1_500_000_000);
    const [entry] = await listed(open(), folder);
    expect(entry).toMatchObject({
      modifiedMs: 1_500_000_000_000,
      accessedMs: 1_600_000_000_000,
      createdMs: undefined,
      changedMs: undefined,
    });
  });

  test('shows who owns a file, by number, and who may read it, in octal digits', async () => {
    writeFileSync(join(folder, 'file.txt'), 'x');
    chmodSync(join(folder, 'file.txt'), 0o640);
    const source = open();
    const [entry] = await listed(source, folder);
    expect(await source.attributes(entry!, true, never)).toEqual({
      owner: String(process.getuid?.()),
      group: String(process.getgid?.()),
      permissions: 640,
    });
  });

  test('names that are no UTF-8 are shown escaped, and lead to the file', async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from('caf\xe9.txt', 'latin1')]), 'latin');
    writeFileSync(join(folder, 'line\nbreak.txt'), 'broken');
    const source = open();
    const entries = await listed(source, folder);
    expect(entries.map(({ name }) => name)).toEqual(['caf\\xE9.txt', 'line\nbreak.txt']);
    const texts = await Promise.all(entries.map(async (entry) => (await bytesOf(source, entry)).toString()));
    expect(texts).toEqual(['latin', 'broken']);
  });

  test('a server that allows two channels serves more readers than that, one after the other', async () => {
    writeFileSync(join(folder, 'file.bin'), Buffer.alloc(300_000, 'x'));
    const source = open({ connections: 6 });
    const [entry] = await listed(source, folder);
    const all = await Promise.all(Array.from({ length: 12 }, () => bytesOf(source, entry!)));
    expect(all.map(({ length }) => length)).toEqual(new Array(12).fill(300_000));
  });

  test('a file that has grown or shrunk since it was listed is read as it is now', async () => {
    writeFileSync(join(folder, 'grown.txt'), 'x');
    writeFileSync(join(folder, 'shrunk.txt'), 'x'.repeat(200_000));
    const source = open();
    const entries = await listed(source, folder);
    writeFileSync(join(folder, 'grown.txt'), 'y'.repeat(500_000));
    writeFileSync(join(folder, 'shrunk.txt'), 'y');
    expect(await Promise.all(entries.map(async (entry) => (await bytesOf(source, entry)).length))).toEqual([
      500_000, 1,
    ]);
  });

  test('a reader that takes its time does not hold up the others', async () => {
    writeFileSync(join(folder, 'large.bin'), Buffer.alloc(5_000_000, 'x'));
    const source = open();
    const [entry] = await listed(source, folder);
    const slow = await source.read(entry!, never);
    expect(await bytesOf(source, entry!)).toHaveLength(5_000_000);
    slow.destroy();
  });
});
