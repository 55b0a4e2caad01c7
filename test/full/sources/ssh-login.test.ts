import { execFileSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { HostKeys } from '../../../src/source/ssh/host-keys.js';
import { listed } from '../../contract/source-contract.js';
import { MemorySshServer, type MemorySshOptions } from '../../support/memory-ssh-server.js';
import { describeWith } from '../../support/program.js';
import { sshSource } from '../../support/remote-sources.js';
import { PASSPHRASE, SshServer } from '../../support/ssh-server.js';

const never = new AbortController().signal;

describeWith(['sshd'], 'SSH logins', () => {
  let server: SshServer;
  let folder: string;
  const told: string[] = [];
  const opened: ReturnType<typeof sshSource>[] = [];
  const open = (place: Parameters<typeof sshSource>[1]): ReturnType<typeof sshSource> => {
    const source = sshSource(server, place);
    opened.push(source);
    return source;
  };
  const probe = (place: Parameters<typeof sshSource>[1]): Promise<unknown> => open(place).probe(server.files, never);
  const hostKeys = (pinned?: string): HostKeys =>
    new HostKeys({
      pinned,
      ownFile: join(folder, 'config', 'known_hosts'),
      userFile: join(folder, 'user_known_hosts'),
      log: (message) => told.push(message),
    });

  beforeAll(async () => {
    server = await SshServer.start();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ssh-login-'));
    told.length = 0;
  });
  afterEach(async () => {
    for (const source of opened.splice(0)) await source.close();
    rmSync(folder, { recursive: true });
  });
  afterAll(() => server.stop());

  describe('by key', () => {
    test.each([
      ['ed25519 of OpenSSH', ['-t', 'ed25519'], ''],
      ['ed25519 of OpenSSH with a passphrase', ['-t', 'ed25519'], PASSPHRASE],
      ['RSA in PEM', ['-t', 'rsa', '-b', '2048', '-m', 'PEM'], ''],
      ['RSA in PEM with a passphrase', ['-t', 'rsa', '-b', '2048', '-m', 'PEM'], PASSPHRASE],
      ['RSA in PKCS#8', ['-t', 'rsa', '-b', '2048', '-m', 'PKCS8'], ''],
      ['RSA in PKCS#8 with a passphrase', ['-t', 'rsa', '-b', '2048', '-m', 'PKCS8'], PASSPHRASE],
      ['ECDSA of OpenSSH', ['-t', 'ecdsa'], PASSPHRASE],
      ['ECDSA in PKCS#8', ['-t', 'ecdsa', '-m', 'PKCS8'], ''],
    ] as const)('%s', async (name, args, passphrase) => {
      const pemPath = server.addKey(name.replace(/\W/g, '_'), args, passphrase);
      await expect(probe({ pemPath, password: passphrase === '' ? undefined : passphrase })).resolves.toBeDefined();
    });

    test.each([
      ['a wrong passphrase', 'wrong horse', /the passphrase \(server\.password\) does not open it/],
      ['no passphrase', undefined, /it is encrypted, and no passphrase is given/],
    ] as const)('%s is said, without the passphrase', async (_name, password, sentence) => {
      const pemPath = server.addKey(`locked-${String(password).length}`, ['-t', 'ed25519'], PASSPHRASE);
      const refusal = (await probe({ pemPath, password }).catch((error: unknown) => error)) as Error;
      expect(refusal).toMatchObject({ code: 'settings_invalid', message: expect.stringMatching(sentence) as unknown });
      expect(refusal.message).toContain(pemPath);
      expect(refusal.message).not.toContain('horse');
    });

    test('a file that is no key, or not there, is said by name, and nothing of its content', async () => {
      const pemPath = join(folder, 'letter.txt');
      writeFileSync(pemPath, 'dear diary');
      const refusal = (await probe({ pemPath }).catch((error: unknown) => error)) as Error;
      expect(refusal.message).toContain(`The private key [${pemPath}] can not be used`);
      expect(refusal.message).not.toContain('diary');
      await expect(probe({ pemPath: join(folder, 'none') })).rejects.toThrow('the file does not exist');
      await expect(probe({ pemPath: `${server.key}.pub` })).rejects.toMatchObject({ code: 'settings_invalid' });
    });

    test('a key that the server does not know is [denied], in a sentence that says what to check', async () => {
      const stranger = join(folder, 'stranger');
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', stranger]);
      await expect(probe({ pemPath: stranger })).rejects.toMatchObject({
        code: 'denied',
        message: `Failed to open SSH session to ${server.user}@127.0.0.1:${server.port}: the server refuses the login (tried: private key). Check server.username, server.password and server.pem_path.`,
      });
    });

    test('the agent is asked when there is neither key nor password', async () => {
      const socket = join(folder, 'agent');
      const agent = execFileSync('ssh-agent', ['-s', '-a', socket]).toString();
      const pid = Number(/SSH_AGENT_PID=(\d+)/.exec(agent)?.[1]);
      const before = process.env['SSH_AUTH_SOCK'];
      try {
        process.env['SSH_AUTH_SOCK'] = socket;
        await expect(probe({ pemPath: undefined })).rejects.toThrow('tried: agent');
        // The agent only takes keys that nobody else can read.
        const key = join(folder, 'key');
        writeFileSync(key, readFileSync(server.key), { mode: 0o600 });
        execFileSync('ssh-add', ['-q', key], { env: { ...process.env, SSH_AUTH_SOCK: socket } });
        await expect(probe({ pemPath: undefined })).resolves.toBeDefined();
      } finally {
        process.kill(pid);
        if (before === undefined) delete process.env['SSH_AUTH_SOCK'];
        else process.env['SSH_AUTH_SOCK'] = before;
      }
    });
  });

  describe('host keys', () => {
    const knownHosts = (line: string): void => writeFileSync(join(folder, 'user_known_hosts'), `${line}\n`);
    const name = (): string => `[127.0.0.1]:${server.port}`;

    test('a host that is not known is trusted at first sight, said so once, and remembered', async () => {
      await probe({ hostKeys: hostKeys() });
      expect(told).toEqual([expect.stringContaining(server.fingerprint('ed25519'))]);
      expect(readFileSync(join(folder, 'config', 'known_hosts'), 'utf8')).toBe(
        `${name()} ${server.publicKey('ed25519')}\n`,
      );
      await probe({ hostKeys: hostKeys() });
      expect(told).toHaveLength(1);
    });

    test('a line is added to known hosts whose last line has no end', async () => {
      const own = join(folder, 'config', 'known_hosts');
      mkdirSync(join(folder, 'config'));
      writeFileSync(own, 'other.example.com ssh-ed25519 AAAA');
      await probe({ hostKeys: hostKeys() });
      expect(readFileSync(own, 'utf8').split('\n')).toEqual([
        'other.example.com ssh-ed25519 AAAA',
        `${name()} ${server.publicKey('ed25519')}`,
        '',
      ]);
    });

    test('a host that known_hosts names, also hashed, needs no remembering', async () => {
      const salt = randomBytes(20);
      const hash = createHmac('sha1', salt).update(name()).digest('base64');
      knownHosts(`|1|${salt.toString('base64')}|${hash} ${server.publicKey('ed25519')}`);
      await probe({ hostKeys: hostKeys() });
      expect([told, existsSync(join(folder, 'config'))]).toEqual([[], false]);
    });

    test('a server with several keys is asked for the one that is known', async () => {
      knownHosts(`${name()} ${server.publicKey('rsa')}`);
      await probe({ hostKeys: hostKeys() });
      expect(told).toEqual([]);
    });

    test('a changed key is refused, in a sentence that shows both and says what to do', async () => {
      const other = join(folder, 'other');
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', other]);
      knownHosts(`${name()} ${readFileSync(`${other}.pub`, 'utf8')}`);
      const fingerprint = execFileSync('ssh-keygen', ['-l', '-f', other]).toString().split(' ')[1] ?? '';
      const refusal = (await probe({ hostKeys: hostKeys() }).catch((error: unknown) => error)) as Error;
      expect(refusal).toMatchObject({ code: 'denied' });
      for (const part of [fingerprint, server.fingerprint('ed25519'), join(folder, 'user_known_hosts')]) {
        expect(refusal.message).toContain(part);
      }
    });

    test('a key of another type than the known one is no way around', async () => {
      const other = join(folder, 'other');
      execFileSync('ssh-keygen', ['-q', '-t', 'ecdsa', '-N', '', '-f', other]);
      knownHosts(`${name()} ${readFileSync(`${other}.pub`, 'utf8')}`);
      await expect(probe({ hostKeys: hostKeys() })).rejects.toMatchObject({ code: 'denied' });
    });

    test('a revoked key is refused', async () => {
      knownHosts(`@revoked * ${server.publicKey('ed25519')}`);
      await expect(probe({ hostKeys: hostKeys() })).rejects.toThrow('revoked');
    });

    test.each([
      ['its fingerprint', () => server.fingerprint('ed25519')],
      ['the whole key', () => server.publicKey('ed25519')],
      ['the whole key of another type, which is then asked for', () => server.publicKey('rsa')],
    ])('pinned by %s: trusted without a file', async (_how, pin) => {
      await probe({ hostKeys: hostKeys(pin()) });
      expect([told, existsSync(join(folder, 'config'))]).toEqual([[], false]);
    });

    test('another than the pinned one is refused, also when known_hosts has it', async () => {
      knownHosts(`${name()} ${server.publicKey('ed25519')}`);
      const pin = `SHA256:${'A'.repeat(43)}`;
      await expect(probe({ hostKeys: hostKeys(pin) })).rejects.toMatchObject({
        code: 'denied',
        message: expect.stringContaining(pin) as unknown,
      });
    });

    test('a pin that is neither fingerprint nor key is a mistake in the settings', async () => {
      await expect(probe({ hostKeys: hostKeys('my server') })).rejects.toMatchObject({ code: 'settings_invalid' });
    });
  });
});

describe('SSH logins by password', () => {
  const FILES = { '/D:/docs/report.txt': 'a report of some length', '/D:/docs/sub/inner.txt': 'inner' };
  let server: MemorySshServer;

  const start = async (method: MemorySshOptions['method']): Promise<ReturnType<typeof sshSource>> => {
    server = await MemorySshServer.start({ password: 'open sesame', method, files: FILES });
    const hostKeys = new HostKeys({
      pinned: undefined,
      ownFile: '/dev/null',
      userFile: '/dev/null',
      log: () => undefined,
    });
    const like = { port: server.port, user: 'reader', key: '', folder: '' };
    return sshSource(like, { password: 'open sesame', pemPath: undefined, hostKeys });
  };

  afterEach(() => server.stop());

  test.each(['password', 'keyboard-interactive'] as const)('%s, and a tree of Windows', async (method) => {
    const source = await start(method);
    const entries = await listed(source, '/D:/docs');
    expect(entries.map(({ path, kind }) => [path, kind])).toEqual([
      ['/D:/docs/report.txt', 'file'],
      ['/D:/docs/sub', 'folder'],
    ]);
    expect(await text(await source.read(entries[0]!, never))).toBe(FILES['/D:/docs/report.txt']);
    expect(source.urlOf(entries[0]!)).toBe(`ssh://127.0.0.1:${server.port}/D:/docs/report.txt`);
    await source.close();
  });

  test('a listing takes a few requests for the folder, and none for its files', async () => {
    const source = await start('password');
    for (let time = 0; time < 2; time += 1) expect(await listed(source, '/D:/docs')).toHaveLength(2);
    await source.close();
    const times = (name: string): number => server.requests.filter((each) => each === name).length;
    expect(new Set(server.requests)).toEqual(new Set(['OPENDIR', 'READDIR', 'CLOSE']));
    expect([times('OPENDIR'), times('READDIR') <= 2 * 3]).toEqual([2, true]);
  });

  test('a handle that is opened for somebody who has left is closed again', async () => {
    const source = await start('password');
    const [entry] = await listed(source, '/D:/docs');
    await source.stat('/D:/docs', never);
    const times = (name: string): number => server.requests.filter((each) => each === name).length;
    const [opened, closed] = [times('OPEN'), times('CLOSE')];
    const leaving = new AbortController();
    const reading = source.read(entry!, leaving.signal);
    setImmediate(() => leaving.abort());
    await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
    for (let turn = 0; turn < 100 && times('CLOSE') === closed; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect([times('OPEN') - opened, times('CLOSE') - closed]).toEqual([1, 1]);
    await source.close();
  });

  test('the passphrase of a key is no password for the server', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ssh-passphrase-'));
    try {
      const pemPath = join(folder, 'key');
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'open sesame', '-f', pemPath]);
      await start('password').then((source) => source.close());
      const like = { port: server.port, user: 'reader', key: pemPath, folder };
      const source = sshSource(like, { password: 'open sesame' });
      await expect(source.probe('/D:/docs', never)).rejects.toMatchObject({
        code: 'denied',
        message: expect.stringContaining('(tried: private key)') as unknown,
      });
      await source.close();
      // Beside a key without one it is a password.
      execFileSync('ssh-keygen', ['-q', '-p', '-P', 'open sesame', '-N', '', '-f', pemPath]);
      const second = sshSource(like, { password: 'open sesame' });
      expect((await second.probe('/D:/docs', never)).entries).toBe(2);
      await second.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
