import { mkdirSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { findProgram, freePort, ServerProgram } from './program.js';
import { serverFolder, ServerInFolder } from './server-in-folder.js';

/**
 * FTP servers of this machine on 127.0.0.1: ProFTPD, which speaks MLSD (or does not, as a test chooses) and knows users of
 * its own, and vsftpd, whose listings are for people and whose refusals are vague. Both serve one folder, as a user that
 * may not read everything, also when the tests run as root.
 */
export interface FtpServerOptions {
  readonly kind?: 'proftpd' | 'vsftpd';
  /** ProFTPD: list for programs. */
  readonly mlsd?: boolean;
  /** ProFTPD: names are UTF-8. */
  readonly utf8?: boolean;
  readonly tls?: 'none' | 'explicit' | 'implicit';
  /** Connections that one address may have. */
  readonly maxConnections?: number;
}

export const FTP_USER = 'reader';
export const FTP_PASSWORD = 'open sesame';

const PASSIVE_PORTS = 40;

export class FtpServer extends ServerInFolder {
  /** Where the served files lie on this machine. */
  readonly files: string;
  /** The same place for clients. */
  readonly root: string;
  readonly passivePorts: readonly number[];
  readonly user: string;
  readonly password: string;
  protected readonly program: ServerProgram;

  private constructor(place: { folder: string; port: number; passive: number }, options: FtpServerOptions) {
    const { folder, port, passive } = place;
    const { kind = 'proftpd' } = options;
    super(folder, port);
    this.files = join(folder, 'files');
    this.passivePorts = Array.from({ length: PASSIVE_PORTS }, (_, at) => passive + at);
    this.user = kind === 'vsftpd' ? 'anonymous' : FTP_USER;
    this.password = kind === 'vsftpd' ? 'guest@localhost' : FTP_PASSWORD;
    this.root = kind === 'vsftpd' ? '/' : this.files;
    this.program = kind === 'vsftpd' ? this.#vsftpd(options) : this.#proftpd(options);
  }

  static async start(options: FtpServerOptions = {}): Promise<FtpServer> {
    const folder = serverFolder('ftp');
    const port = await freePort();
    const passive = 20_000 + Math.floor(Math.random() * 400) * PASSIVE_PORTS;
    const server = new FtpServer({ folder, port, passive }, options);
    await server.up();
    return server;
  }

  #proftpd({ mlsd = true, utf8 = true, tls = 'none', maxConnections }: FtpServerOptions): ServerProgram {
    const { uid, gid } = unprivileged();
    mkdirSync(this.files);
    const hash = execFileSync('openssl', ['passwd', '-6', FTP_PASSWORD]).toString().trim();
    const passwords = this.#write('passwd', `${FTP_USER}:${hash}:${uid}:${gid}::${this.files}:/bin/false\n`);
    const groups = this.#write('group', `readers:x:${gid}:\n`);
    const program = findProgram('proftpd') ?? 'proftpd';
    const config = this.#write(
      'proftpd.conf',
      [
        // Where the program lies, so that it need not be installed.
        `ModulePath ${join(dirname(program), '../lib/proftpd')}`,
        'ServerName test',
        'ServerType standalone',
        'DefaultServer on',
        `Port ${this.port}`,
        'UseIPv6 off',
        'SocketBindTight on',
        'DefaultAddress 127.0.0.1',
        `User ${nameOfId('passwd', uid)}`,
        `Group ${nameOfId('group', gid)}`,
        'AuthOrder mod_auth_file.c',
        `AuthUserFile ${passwords}`,
        `AuthGroupFile ${groups}`,
        'RequireValidShell off',
        `PassivePorts ${this.passivePorts[0] ?? 0} ${this.passivePorts.at(-1) ?? 0}`,
        `PidFile ${join(this.folder, 'pid')}`,
        `ScoreboardFile ${join(this.folder, 'scoreboard')}`,
        `SystemLog ${join(this.folder, 'log')}`,
        'TransferLog none',
        'WtmpLog off',
        'DelayEngine off',
        'UseReverseDNS off',
        `FactsAdvertise ${mlsd ? 'on' : 'off'}`,
        `UseEncoding ${utf8 ? 'UTF-8 UTF-8' : 'off'}`,
        ...(maxConnections === undefined ? [] : [`MaxClientsPerHost ${maxConnections}`]),
        ...(tls === 'none' ? [] : this.#tlsLines(tls)),
        '',
      ].join('\n'),
    );
    return new ServerProgram(program, ['-n', '-c', config], this.port);
  }

  #tlsLines(tls: 'explicit' | 'implicit'): string[] {
    const certificates = join(import.meta.dirname, 'tls');
    return [
      'LoadModule mod_tls.c',
      'TLSEngine on',
      'TLSRequired on',
      'TLSProtocol TLSv1.2 TLSv1.3',
      `TLSLog ${join(this.folder, 'tls.log')}`,
      `TLSRSACertificateFile ${join(certificates, 'localhost.pem')}`,
      `TLSRSACertificateKeyFile ${this.#privateCopy(join(certificates, 'localhost-key.pem'))}`,
      ...(tls === 'implicit' ? ['TLSOptions UseImplicitSSL'] : []),
    ];
  }

  #vsftpd({ tls = 'none', maxConnections }: FtpServerOptions): ServerProgram {
    mkdirSync(this.files);
    const empty = join(this.folder, 'empty');
    mkdirSync(empty);
    const config = this.#write(
      'vsftpd.conf',
      [
        'listen=YES',
        'background=NO',
        'listen_address=127.0.0.1',
        `listen_port=${this.port}`,
        'anonymous_enable=YES',
        'anon_world_readable_only=NO',
        `anon_root=${this.files}`,
        `pasv_min_port=${this.passivePorts[0] ?? 0}`,
        `pasv_max_port=${this.passivePorts.at(-1) ?? 0}`,
        `secure_chroot_dir=${empty}`,
        'seccomp_sandbox=NO',
        'xferlog_enable=NO',
        'allow_writeable_chroot=YES',
        ...(userInfo().uid === 0 ? ['ftp_username=daemon', 'nopriv_user=nobody'] : ['run_as_launching_user=YES']),
        ...(maxConnections === undefined ? [] : [`max_per_ip=${maxConnections}`]),
        ...(tls === 'none'
          ? []
          : [
              'ssl_enable=YES',
              'allow_anon_ssl=YES',
              'force_anon_logins_ssl=YES',
              'force_anon_data_ssl=YES',
              'require_ssl_reuse=YES',
              `implicit_ssl=${tls === 'implicit' ? 'YES' : 'NO'}`,
              `rsa_cert_file=${join(import.meta.dirname, 'tls', 'localhost.pem')}`,
              `rsa_private_key_file=${this.#privateCopy(join(import.meta.dirname, 'tls', 'localhost-key.pem'))}`,
            ]),
        '',
      ].join('\n'),
    );
    return new ServerProgram(findProgram('vsftpd') ?? 'vsftpd', [config], this.port);
  }

  #write(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  #privateCopy(path: string): string {
    return this.#write('key.pem', execFileSync('cat', [path]).toString());
  }
}

/** Somebody who is not root. */
function unprivileged(): { uid: number; gid: number } {
  const { uid, gid } = userInfo();
  return uid === 0 ? { uid: 65_534, gid: 65_534 } : { uid, gid };
}

function nameOfId(database: 'passwd' | 'group', id: number): string {
  return (
    execFileSync('getent', [database, String(id)])
      .toString()
      .split(':')[0] ?? ''
  );
}
