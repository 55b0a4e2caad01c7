import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { openGuard } from '../../src/source/address-guard.js';
import type { WebdavServer as WebdavPlace } from '../../src/source/webdav/webdav-server.js';
import { WebdavSource } from '../../src/source/webdav/webdav-source.js';
import { findProgram, freePort, ServerProgram } from './program.js';
import { serverFolder, ServerInFolder } from './server-in-folder.js';

/** Apache with mod_dav on 127.0.0.1, over one folder of this machine, shown at `/dav`. */
export interface WebdavServerOptions {
  readonly auth?: 'none' | 'basic' | 'digest';
  readonly tls?: boolean;
}

export const DAV_USER = 'reader ü';
export const DAV_PASSWORD = 'open "sesame"';
const REALM = 'documents';
const MODULES = '/usr/lib/apache2/modules';

export class WebdavServer extends ServerInFolder {
  readonly files: string;
  readonly #scheme: 'http' | 'https';
  protected readonly program: ServerProgram;

  private constructor(folder: string, port: number, { auth = 'none', tls = false }: WebdavServerOptions) {
    super(folder, port);
    this.files = join(folder, 'root', 'dav');
    this.#scheme = tls ? 'https' : 'http';
    mkdirSync(this.files, { recursive: true });
    const lines = [...this.#serverLines(), ...(tls ? tlsLines() : []), ...this.#shareLines(auth), ''];
    writeFileSync(join(folder, 'apache.conf'), lines.join('\n'));
    const args = ['-d', folder, '-f', join(folder, 'apache.conf'), '-DFOREGROUND'];
    this.program = new ServerProgram(findProgram('apache2') ?? 'apache2', args, port);
  }

  static async start(options: WebdavServerOptions = {}): Promise<WebdavServer> {
    const folder = serverFolder('webdav');
    const server = new WebdavServer(folder, await freePort(), options);
    await server.up();
    return server;
  }

  get url(): string {
    return `${this.#scheme}://${this.#scheme === 'https' ? 'localhost' : '127.0.0.1'}:${this.port}/dav`;
  }

  #serverLines(): string[] {
    const names = 'mpm_event authn_core authn_file authz_core authz_user auth_basic auth_digest dav dav_fs ssl'.split(
      ' ',
    );
    const locks = join(this.folder, 'locks');
    mkdirSync(locks);
    if (userInfo().uid === 0) chownSync(locks, 65_534, 65_534);
    return [
      ...names.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
      'ServerName 127.0.0.1',
      `Listen 127.0.0.1:${this.port}`,
      `PidFile ${join(this.folder, 'pid')}`,
      `ErrorLog ${join(this.folder, 'error.log')}`,
      `DavLockDB ${join(locks, 'lock')}`,
      `DefaultRuntimeDir ${locks}`,
      'AllowEncodedSlashes NoDecode',
      'FileETag INode MTime Size',
      ...(userInfo().uid === 0 ? ['User nobody', 'Group nogroup'] : []),
    ];
  }

  #shareLines(auth: 'none' | 'basic' | 'digest'): string[] {
    return [
      `DocumentRoot ${join(this.folder, 'root')}`,
      `<Directory ${this.files}>`,
      'Dav On',
      ...this.#authLines(auth),
      '</Directory>',
    ];
  }

  #authLines(auth: 'none' | 'basic' | 'digest'): string[] {
    if (auth === 'none') return ['Require all granted'];
    const users = join(this.folder, 'users');
    const digest = createHash('md5').update(`${DAV_USER}:${REALM}:${DAV_PASSWORD}`).digest('hex');
    const basic = execFileSync('openssl', ['passwd', '-apr1', DAV_PASSWORD]).toString().trim();
    writeFileSync(users, auth === 'digest' ? `${DAV_USER}:${REALM}:${digest}\n` : `${DAV_USER}:${basic}\n`);
    const kind = auth === 'digest' ? 'Digest' : 'Basic';
    return [
      `AuthType ${kind}`,
      `AuthName "${REALM}"`,
      `Auth${kind}Provider file`,
      `AuthUserFile ${users}`,
      'Require valid-user',
    ];
  }
}

function tlsLines(): string[] {
  const certificates = join(import.meta.dirname, 'tls');
  return [
    'SSLEngine on',
    `SSLCertificateFile ${join(certificates, 'localhost.pem')}`,
    `SSLCertificateKeyFile ${join(certificates, 'localhost-key.pem')}`,
  ];
}

export function webdavSource(url: string, place: Partial<WebdavPlace> = {}): WebdavSource {
  const timeouts = { connectMs: 5000, silenceMs: 5000 };
  return new WebdavSource({ endpoint: new URL(url), login: undefined, guard: openGuard, timeouts, ...place });
}
