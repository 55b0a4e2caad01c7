import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { findProgram, freePort, ServerProgram } from './program.js';
import { serverFolder, ServerInFolder } from './server-in-folder.js';

/**
 * OpenSSH's sshd on a free port of 127.0.0.1, with keys and settings of its own. It runs without privileges, and so serves
 * the one user that it runs as: whoever runs the tests, or nobody when that is root, so that there is something which may
 * not be read. Logins are by key.
 */
export const PASSPHRASE = 'correct horse';

export class SshServer extends ServerInFolder {
  /** Where the served files lie, here and for clients. */
  readonly files: string;
  readonly user: string;
  /** A private key that opens the server. */
  readonly key: string;
  protected readonly program: ServerProgram;

  private constructor(folder: string, port: number, maxSessions: number) {
    const { uid, gid, name } = account();
    super(folder, port);
    this.files = join(folder, 'files');
    this.user = name;
    this.key = join(folder, 'user_ed25519');
    mkdirSync(this.files);
    makeKey(join(folder, 'host_ed25519'), ['-t', 'ed25519']);
    makeKey(join(folder, 'host_rsa'), ['-t', 'rsa', '-b', '2048']);
    makeKey(this.key, ['-t', 'ed25519']);
    writeFileSync(join(folder, 'authorized'), readFileSync(`${this.key}.pub`));
    const config = join(folder, 'sshd_config');
    writeFileSync(config, settings(folder, port, maxSessions));
    // The program runs as somebody else than the tests, perhaps.
    if (userInfo().uid === 0) {
      for (const each of readdirSync(folder).filter((file) => file !== 'files'))
        chownSync(join(folder, each), uid, gid);
    }
    this.program = new ServerProgram(findProgram('sshd') ?? 'sshd', ['-D', '-e', '-f', config], port, { uid, gid });
  }

  static async start({ maxSessions = 10 }: { readonly maxSessions?: number } = {}): Promise<SshServer> {
    const folder = serverFolder('ssh');
    const server = new SshServer(folder, await freePort(), maxSessions);
    await server.up();
    return server;
  }

  get output(): string {
    return this.program.output;
  }

  /** As `ssh-keygen -l` shows it. */
  fingerprint(type: 'ed25519' | 'rsa'): string {
    return (
      execFileSync('ssh-keygen', ['-l', '-f', join(this.folder, `host_${type}.pub`)])
        .toString()
        .split(' ')[1] ?? ''
    );
  }

  /** `type base64` */
  publicKey(type: 'ed25519' | 'rsa'): string {
    return readFileSync(join(this.folder, `host_${type}.pub`), 'utf8')
      .split(' ')
      .slice(0, 2)
      .join(' ');
  }

  /** A further key that opens the server, made with these arguments of ssh-keygen. */
  addKey(name: string, args: readonly string[], passphrase = ''): string {
    const path = join(this.folder, name);
    makeKey(path, args, passphrase);
    const authorized = join(this.folder, 'authorized');
    writeFileSync(authorized, readFileSync(authorized, 'utf8') + readFileSync(`${path}.pub`, 'utf8'));
    return path;
  }
}

function settings(folder: string, port: number, maxSessions: number): string {
  return [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(folder, 'host_ed25519')}`,
    `HostKey ${join(folder, 'host_rsa')}`,
    `AuthorizedKeysFile ${join(folder, 'authorized')}`,
    `MaxSessions ${maxSessions}`,
    'PidFile none',
    'StrictModes no',
    // An account without a password counts as locked otherwise.
    'UsePAM yes',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'Subsystem sftp internal-sftp',
    '',
  ].join('\n');
}

function account(): { uid: number; gid: number; name: string } {
  const { uid, gid, username } = userInfo();
  if (uid !== 0) return { uid, gid, name: username };
  const [name = 'nobody', , id, group] = execFileSync('getent', ['passwd', 'nobody']).toString().split(':');
  return { uid: Number(id), gid: Number(group), name };
}

function makeKey(path: string, args: readonly string[], passphrase = ''): void {
  execFileSync('ssh-keygen', ['-q', ...args, '-N', passphrase, '-C', 'test', '-f', path]);
}
