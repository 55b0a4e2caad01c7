import { join } from 'node:path';
import { openGuard } from '../../src/source/address-guard.js';
import type { FtpServer as FtpPlace } from '../../src/source/ftp/ftp-server.js';
import { FtpSource } from '../../src/source/ftp/ftp-source.js';
import type { S3Bucket } from '../../src/source/s3/s3-bucket.js';
import { S3Source } from '../../src/source/s3/s3-source.js';
import { HostKeys } from '../../src/source/ssh/host-keys.js';
import type { SshServer as SshPlace } from '../../src/source/ssh/ssh-server.js';
import { SshSource } from '../../src/source/ssh/ssh-source.js';
import type { FtpServer } from './ftp-server.js';
import { ACCESS_KEY, BUCKET, REGION, SECRET_KEY, type S3Server } from './s3-server.js';
import type { SshServer } from './ssh-server.js';

/** Sources that look at the servers of a test, with short timeouts. Each part can be given otherwise. */
const timeouts = { connectMs: 5000, silenceMs: 5000 };

export interface TreeOverrides {
  readonly followSymlinks?: boolean;
  readonly connections?: number;
}

export function ftpSource(
  server: Pick<FtpServer, 'port' | 'user' | 'password'>,
  place: Partial<FtpPlace> = {},
  overrides: TreeOverrides = {},
): FtpSource {
  const { port, user, password } = server;
  return new FtpSource({
    followSymlinks: false,
    ...overrides,
    server: { host: '127.0.0.1', port, user, password, tls: 'none', guard: openGuard, timeouts, ...place },
  });
}

export function sshSource(
  server: Pick<SshServer, 'port' | 'user' | 'key' | 'folder'>,
  place: Partial<SshPlace> = {},
  overrides: TreeOverrides = {},
): SshSource {
  const { port, user, key: pemPath, folder } = server;
  const hostKeys = new HostKeys({
    pinned: undefined,
    ownFile: join(folder, 'known_hosts'),
    userFile: join(folder, 'none'),
    log: () => undefined,
  });
  return new SshSource({
    followSymlinks: false,
    ...overrides,
    server: {
      host: '127.0.0.1',
      port,
      user,
      password: undefined,
      pemPath,
      hostKeys,
      guard: openGuard,
      timeouts,
      ...place,
    },
  });
}

export function s3Source(server: Pick<S3Server, 'url'>, bucket: Partial<S3Bucket> = {}): S3Source {
  return new S3Source({
    endpoint: new URL(server.url),
    bucket: BUCKET,
    region: REGION,
    login: { kind: 'keys', accessKey: ACCESS_KEY, secretKey: SECRET_KEY, sessionToken: undefined },
    pathStyle: true,
    guard: openGuard,
    timeouts,
    ...bucket,
  });
}
