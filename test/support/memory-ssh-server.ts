import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2, { type AuthContext, type Connection, type SFTPWrapper } from 'ssh2';

/**
 * An SSH server in this process, for what sshd cannot show without touching the machine: logins by password, and a tree
 * as Windows has it. It serves a few files from memory.
 */
export interface MemorySshOptions {
  readonly password: string;
  /** How the password is asked for. */
  readonly method: 'password' | 'keyboard-interactive';
  /** Whole paths and contents. */
  readonly files: Readonly<Record<string, string>>;
}

const { STATUS_CODE } = ssh2.utils.sftp;

export class MemorySshServer {
  readonly #server: ssh2.Server;
  /** The SFTP requests that came, by name. */
  readonly requests: string[] = [];
  port = 0;

  private constructor(options: MemorySshOptions) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const hostKey = privateKey.export({ type: 'pkcs1', format: 'pem' });
    this.#server = new ssh2.Server({ hostKeys: [hostKey] }, (connection) => serve(connection, options, this.requests));
  }

  static async start(options: MemorySshOptions): Promise<MemorySshServer> {
    const server = new MemorySshServer(options);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    server.port = (server.#server.address() as AddressInfo).port;
    return server;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}

function serve(connection: Connection, { password, method, files }: MemorySshOptions, requests: string[]): void {
  connection.on('error', () => undefined);
  connection.on('authentication', (context) => judge(context, password, method));
  connection.on('ready', () => {
    connection.on('session', (accept) => {
      accept().on('sftp', (acceptSftp) => {
        const sftp = acceptSftp();
        for (const name of ['STAT', 'REALPATH', 'OPENDIR', 'READDIR', 'OPEN', 'READ', 'CLOSE'])
          sftp.on(name, () => requests.push(name));
        serveFiles(sftp, files);
      });
    });
  });
}

function judge(context: AuthContext, password: string, method: MemorySshOptions['method']): void {
  if (context.method === 'password' && method === 'password') {
    if (context.password === password) context.accept();
    else context.reject();
  } else if (context.method === 'keyboard-interactive' && method === 'keyboard-interactive') {
    context.prompt([{ prompt: 'Password: ', echo: false }], ([answer]) => {
      if (answer === password) context.accept();
      else context.reject();
    });
  } else context.reject([method]);
}

function serveFiles(sftp: SFTPWrapper, files: Readonly<Record<string, string>>): void {
  const open = new Map<string, { path: string; done: boolean }>();
  const handleOf = (path: string): Buffer => {
    const handle = Buffer.from(String(open.size + 1));
    open.set(handle.toString(), { path, done: false });
    return handle;
  };
  const childrenOf = (folder: string): string[] => {
    const below = Object.keys(files).filter((path) => path.startsWith(`${folder}/`));
    return [...new Set(below.map((path) => path.slice(folder.length + 1).split('/')[0] ?? ''))];
  };
  const attributesOf = (path: string): ssh2.Attributes | undefined => {
    const content = files[path];
    if (content === undefined && childrenOf(path).length === 0) return undefined;
    const mode = content === undefined ? 0o040755 : 0o100644;
    return { mode, uid: 0, gid: 0, size: content?.length ?? 0, atime: 1_600_000_000, mtime: 1_600_000_000 };
  };
  sftp.on('REALPATH', (id, path) => sftp.name(id, [{ filename: path, longname: path, attrs: {} as ssh2.Attributes }]));
  sftp.on('STAT', (id, path) => {
    const attributes = attributesOf(path);
    if (attributes === undefined) sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    else sftp.attrs(id, attributes);
  });
  sftp.on('OPENDIR', (id, path) => {
    if (childrenOf(path).length === 0) sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    else sftp.handle(id, handleOf(path));
  });
  sftp.on('READDIR', (id, handle) => {
    const folder = open.get(handle.toString());
    if (folder === undefined || folder.done) return sftp.status(id, STATUS_CODE.EOF);
    folder.done = true;
    const names = childrenOf(folder.path).map((filename) => ({
      filename,
      longname: filename,
      attrs: attributesOf(`${folder.path}/${filename}`) ?? ({} as ssh2.Attributes),
    }));
    sftp.name(id, names);
  });
  sftp.on('OPEN', (id, path) => {
    if (files[path] === undefined) sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    else sftp.handle(id, handleOf(path));
  });
  sftp.on('READ', (id, handle, offset, length) => {
    const content = Buffer.from(files[open.get(handle.toString())?.path ?? ''] ?? '');
    // Three bytes at a time: a server may always give less than it was asked for.
    const bytes = content.subarray(offset, offset + Math.min(length, 3));
    if (bytes.length === 0) sftp.status(id, STATUS_CODE.EOF);
    else sftp.data(id, bytes);
  });
  sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK));
}
