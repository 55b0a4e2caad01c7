import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { TreeSource } from '../../../src/source/source.js';
import type { WebdavServer as WebdavPlace } from '../../../src/source/webdav/webdav-server.js';
import { listed } from '../../contract/source-contract.js';
import { fetchSourcesOf } from '../../support/fetch-sources.js';
import { describeWith } from '../../support/program.js';
import { readContent } from '../../support/read-content.js';
import {
  answer,
  document,
  failed,
  file,
  folder,
  multistatus,
  ScriptedWebdav,
  type DavStep,
} from '../../support/scripted-webdav.js';
import { DAV_PASSWORD, DAV_USER, WebdavServer, webdavSource } from '../../support/webdav-server.js';

const never = new AbortController().signal;
const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function scripted(...steps: readonly DavStep[]): Promise<{ server: ScriptedWebdav; source: TreeSource }> {
  const server = await ScriptedWebdav.start(...steps);
  const source = webdavSource(server.url, { timeouts: { connectMs: 1000, silenceMs: 500 } });
  cleanups.push(
    () => server.stop(),
    () => source.close(),
  );
  return { server, source };
}

async function namesIn(source: TreeSource, path: string): Promise<string[]> {
  return (await listed(source, path)).map(({ name, kind }) => `${kind} ${name}`);
}

const SELF = folder('/dav/');

describe('what a server may write for an address', () => {
  test.each([
    ['an absolute path', ['/dav/', '/dav/a%20b.txt']],
    ['a whole address', ['http://127.0.0.1/dav/', 'http://127.0.0.1/dav/a%20b.txt']],
    ['that of another host, behind a proxy', ['http://backend:8443/dav/', 'http://backend:8443/dav/a%20b.txt']],
    ['another path, behind a proxy that changes it', ['/internal/share/', '/internal/share/a%20b.txt']],
    ['no slash at the end of the folder', ['/dav', '/dav/a%20b.txt']],
    ['a blank that is not encoded', ['/dav/', '/dav/a b.txt']],
    ['line breaks around it', ['\n  /dav/\n', '\n  /dav/a%20b.txt\n']],
  ])('%s', async (_what, [self = '', member = '']) => {
    const { source } = await scripted(multistatus(folder(self), file(member)));
    const [entry] = await listed(source, '/');
    expect([entry?.name, entry?.path]).toEqual(['a b.txt', '/a b.txt']);
  });

  test('names are UTF-8, encoded or not, and other bytes are shown', async () => {
    const { source } = await scripted(
      multistatus(SELF, file('/dav/%C3%BC.txt'), file('/dav/ü2.txt'), file('/dav/%E9.txt')),
    );
    expect(await namesIn(source, '/')).toEqual(['file \\xE9.txt', 'file ü.txt', 'file ü2.txt']);
  });

  test('a name that is not UTF-8 is asked for by its bytes', async () => {
    const { server, source } = await scripted(
      multistatus(SELF, file('/dav/%E9.txt')),
      answer(404),
      answer(200, {}, 'here'),
    );
    const [entry] = await listed(source, '/');
    expect(await text(await source.read(entry!, never))).toBe('here');
    expect(server.requests.map(({ url }) => url)).toEqual(['/dav/', '/dav/%5CxE9.txt', '/dav/%E9.txt']);
  });

  test('what lies deeper than asked for belongs to the listing of its folder', async () => {
    const { server, source } = await scripted(
      multistatus(SELF, folder('/dav/sub/'), file('/dav/sub/deep.txt'), file('/dav/a.txt')),
    );
    expect(await namesIn(source, '/')).toEqual(['file a.txt', 'folder sub']);
    expect(server.requests.map(({ headers }) => headers['depth'])).toEqual(['1']);
  });
});

describe('an answer that is no whole listing changes nothing', () => {
  test.each([
    [
      'XML that is cut off',
      (_: unknown, response) => void response.writeHead(207).end(document(SELF, file('/dav/a')).slice(0, -20)),
    ],
    [
      'XML that lacks its end',
      (_: unknown, response) =>
        void response.writeHead(207).end(document(SELF, file('/dav/a')).replace('</d:multistatus>', '')),
    ],
    ['a page for people', answer(200, { 'content-type': 'text/html' }, '<html>Welcome</html>')],
    ['a page for people that calls itself a listing', answer(207, {}, '<html>Welcome</html>')],
    ['nothing', answer(207)],
    ['a listing that does not name the folder', multistatus(file('/dav/a.txt'), file('/dav/b.txt'))],
    ['a listing of nothing', multistatus()],
    ['a listing of another place', multistatus(SELF, file('/elsewhere/a.txt'))],
    ['a name that leads up', multistatus(SELF, file('/dav/../'))],
    ['an entity that is not XML', answer(207, {}, '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>')],
    [
      'bytes that are not UTF-8',
      (_: unknown, response) =>
        void response.writeHead(207).end(Buffer.from(document(SELF, file('/dav/\u00e9')), 'latin1')),
    ],
    ['a share that does not speak WebDAV', answer(405)],
    ['a refusal', answer(403)],
    ['a login page elsewhere', answer(302, { location: 'https://login.example.com/' })],
    ['redirects in a circle', answer(301, { location: '/dav/' })],
  ] satisfies [string, DavStep][])('%s is [denied]', async (_what, step) => {
    const { source } = await scripted(step);
    await expect(listed(source, '/')).rejects.toMatchObject({ name: 'CrawlerError', code: 'denied' });
  });

  test.each([
    [
      'a listing that says that there is more',
      multistatus(SELF.replace('200 OK', '507 Insufficient Storage'), file('/dav/a')),
    ],
    ['a server that is overloaded', answer(503)],
    ['a server that fails', answer(500)],
    ['a server that says nothing', () => undefined],
    [
      'a server that falls silent',
      (_: unknown, response) => void response.writeHead(207).write(document(SELF).slice(0, 80)),
    ],
    ['a server that hangs up', (request) => void request.socket.destroy()],
  ] satisfies [string, DavStep][])('%s is [unavailable]', async (_what, step) => {
    const { source } = await scripted(step);
    await expect(listed(source, '/')).rejects.toMatchObject({ name: 'CrawlerError', code: 'unavailable' });
  });

  test('a file is no folder', async () => {
    const { source } = await scripted(multistatus(file('/dav/')));
    await expect(listed(source, '/')).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('of what a server refuses to tell, only that it is there is known', async () => {
  const { source } = await scripted(
    multistatus(
      SELF,
      failed('/dav/closed/', '403 Forbidden'),
      failed('/dav/closed.txt', '403 Forbidden'),
      failed('/dav/gone.txt', '404 Not Found'),
      file('/dav/open.txt'),
    ),
  );
  const entries = await listed(source, '/');
  expect(entries.map(({ name, kind, size }) => [name, kind, size])).toEqual([
    ['closed', 'folder', 0],
    ['closed.txt', 'file', -1],
    ['open.txt', 'file', 4],
  ]);
});

test('properties that a server does not know are not told, and the rest counts', async () => {
  const bare =
    '<d:response><d:href>/dav/a.txt</d:href><d:propstat><d:prop><d:getcontentlength>4</d:getcontentlength></d:prop>' +
    '<d:status>HTTP/1.1 200 OK</d:status></d:propstat><d:propstat><d:prop><d:getetag/><d:resourcetype/></d:prop>' +
    '<d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response>';
  const { source } = await scripted(multistatus(SELF, bare));
  expect(await listed(source, '/')).toMatchObject([{ name: 'a.txt', kind: 'file', size: 4, version: undefined }]);
});

describe('a server that asks for a pause', () => {
  test.each([429, 503])('%d with Retry-After is asked again after that time', async (status) => {
    const { server, source } = await scripted(
      answer(status, { 'retry-after': '1' }),
      multistatus(SELF, file('/dav/a')),
    );
    const before = performance.now();
    expect(await namesIn(source, '/')).toEqual(['file a']);
    expect(performance.now() - before).toBeGreaterThan(900);
    expect(server.requests).toHaveLength(2);
  });

  test('three times in all', async () => {
    const { server, source } = await scripted(answer(429));
    await expect(listed(source, '/')).rejects.toMatchObject({ code: 'rate_limited' });
    expect(server.requests).toHaveLength(3);
  });

  test('for longer than a request may wait is left to the next scan', async () => {
    const { server, source } = await scripted(answer(503, { 'retry-after': '3600' }));
    await expect(listed(source, '/')).rejects.toMatchObject({ code: 'unavailable' });
    expect(server.requests).toHaveLength(1);
  });
});

test('a redirect within the server is followed, and its path is that of the folder', async () => {
  const { source } = await scripted(
    answer(301, { location: '/remote.php/dav/' }),
    multistatus(folder('/remote.php/dav/'), file('/remote.php/dav/a.txt')),
  );
  expect(await namesIn(source, '/')).toEqual(['file a.txt']);
});

test('an answer without a length that ends too soon is no complete file', async () => {
  const { source } = await scripted(multistatus(SELF, file('/dav/a.txt')), (request) => {
    request.socket.end('HTTP/1.0 200 OK\r\n\r\nab');
  });
  const [entry] = await listed(source, '/');
  await expect(source.read(entry!, never).then(text)).rejects.toMatchObject({ code: 'unavailable' });
});

test('the login is sent after the server has asked for it, and never shown', async () => {
  const server = await ScriptedWebdav.start(answer(401, { 'www-authenticate': 'Basic realm="x"' }));
  const source = webdavSource(server.url, { login: { username: 'anna', password: 'hunter2' } });
  cleanups.push(
    () => server.stop(),
    () => source.close(),
  );
  const refusal = (await listed(source, '/').catch((error: unknown) => error)) as Error;
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
    undefined,
    `Basic ${Buffer.from('anna:hunter2').toString('base64')}`,
  ]);
  expect(refusal.message).toContain('It refuses the login of [anna]');
  expect(refusal.message).not.toContain('hunter2');
});

test('a nonce that has become stale is replaced without another refusal', async () => {
  const digest = (nonce: string, more = ''): DavStep =>
    answer(401, { 'www-authenticate': `Digest realm="x", nonce="${nonce}", qop="auth", algorithm=SHA-256${more}` });
  const server = await ScriptedWebdav.start(
    digest('one'),
    multistatus(SELF),
    digest('two', ', stale=true'),
    multistatus(SELF),
  );
  const source = webdavSource(server.url, { login: { username: 'anna', password: 'x' } });
  cleanups.push(
    () => server.stop(),
    () => source.close(),
  );
  expect([await listed(source, '/'), await listed(source, '/')]).toEqual([[], []]);
  const nonces = server.requests.map(({ headers }) => /nonce="(\w+)"/.exec(headers.authorization ?? '')?.[1]);
  expect(nonces).toEqual([undefined, 'one', 'one', 'two']);
});

describeWith(['apache2'], 'WebDAV server', () => {
  const start = async (
    options: Parameters<typeof WebdavServer.start>[0],
    place: Partial<WebdavPlace> = {},
  ): Promise<{ server: WebdavServer; source: TreeSource }> => {
    const server = await WebdavServer.start(options);
    const source = webdavSource(server.url, { login: { username: DAV_USER, password: DAV_PASSWORD }, ...place });
    cleanups.push(
      () => server.stop(),
      () => source.close(),
    );
    writeFileSync(join(server.files, 'a file ü.txt'), 'a file');
    return { server, source };
  };

  test.each(['basic', 'digest'] as const)('lets in with %s authentication', async (auth) => {
    const { source } = await start({ auth });
    const [entry] = await listed(source, '/');
    const all = await Promise.all(Array.from({ length: 12 }, async () => text(await source.read(entry!, never))));
    expect(new Set(all)).toEqual(new Set(['a file']));
  });

  test.each(['basic', 'digest'] as const)('refuses a wrong password with %s authentication', async (auth) => {
    const { source } = await start({ auth }, { login: { username: DAV_USER, password: 'wrong' } });
    await expect(source.probe('/', never)).rejects.toMatchObject({ code: 'denied' });
  });

  test('refuses whoever has no login', async () => {
    const { source } = await start({ auth: 'basic' }, { login: undefined });
    await expect(source.probe('/', never)).rejects.toThrow('set fs.webdav.username');
  });

  test('a certificate of nobody that is known is [denied]', async () => {
    const { source } = await start({ tls: true });
    await expect(source.probe('/', never)).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringContaining('NODE_EXTRA_CA_CERTS') as unknown,
    });
  });

  test('a folder that may not be read is [denied], and the others are listed', async () => {
    const { server, source } = await start({});
    mkdirSync(join(server.files, 'closed'));
    chmodSync(join(server.files, 'closed'), 0o000);
    mkdirSync(join(server.files, 'open'));
    expect(await namesIn(source, '/')).toContain('folder open');
    await expect(listed(source, '/closed')).rejects.toMatchObject({ code: 'denied' });
    chmodSync(join(server.files, 'closed'), 0o755);
  });

  test('the etag changes with the content', async () => {
    const { server, source } = await start({});
    const versions = new Set<string | undefined>();
    for (const content of ['one', 'three', 'eleven!']) {
      writeFileSync(join(server.files, 'a file ü.txt'), content);
      versions.add((await listed(source, '/'))[0]?.version);
    }
    expect([versions.size, versions.has(undefined)]).toEqual([3, false]);
  });

  test('the address of a file leads to it', async () => {
    const { source } = await start({});
    const [entry] = await listed(source, '/');
    const response = await fetch(source.urlOf(entry!) ?? '');
    expect([response.status, await response.text()]).toEqual([200, 'a file']);
  });

  describe('fetches', () => {
    const open = async (
      server: WebdavServer,
      parameters: object,
      job: readonly string[] = [],
      exposed = false,
    ): Promise<string> => {
      const openers = fetchSourcesOf({ folder: server.folder, overrides: job, exposed });
      const target = await openers.get('webdav')!.open({ ...parameters }, never);
      cleanups.push(() => target.close());
      return (await readContent(target.content)).toString();
    };
    const PATH = '/a file ü.txt';
    const jobOf = (server: WebdavServer): string[] => [
      `fs.webdav.endpoint=${server.url}`,
      `fs.webdav.username=${DAV_USER}`,
      `fs.webdav.password=${DAV_PASSWORD}`,
    ];

    test('with all parameters in the request, and with everything but the path from the job', async () => {
      const { server } = await start({ auth: 'digest' });
      const all = { path: PATH, endpoint: server.url, username: DAV_USER, password: DAV_PASSWORD };
      expect(await open(server, all)).toBe('a file');
      expect(await open(server, { path: PATH }, jobOf(server))).toBe('a file');
      expect(await open(server, { path: 'a file ü.txt' }, [...jobOf(server), 'fs.url=/'])).toBe('a file');
    });

    test('the login of the job goes to no other server', async () => {
      const { server } = await start({ auth: 'basic' });
      const elsewhere = [`fs.webdav.endpoint=http://127.0.0.1:1/`, ...jobOf(server).slice(1)];
      await expect(open(server, { path: PATH, endpoint: server.url }, elsewhere)).rejects.toMatchObject({
        code: 'denied',
      });
    });

    test('servers inside are closed to callers from elsewhere, but for that of the job', async () => {
      const { server } = await start({ auth: 'basic' });
      const all = { path: PATH, endpoint: server.url, username: DAV_USER, password: DAV_PASSWORD };
      await expect(open(server, all, [], true)).rejects.toThrow('add it to rest.fetch.allow to permit it');
      await expect(open(server, { ...all, endpoint: 'http://169.254.169.254/' })).rejects.toThrow(
        'link-local, metadata',
      );
      expect(await open(server, { path: PATH }, jobOf(server), true)).toBe('a file');
    });

    test.each([
      [{ path: '/none.txt' }, 'File [/none.txt] does not exist on WebDAV server'],
      [{ path: '/' }, 'Path [/] is a directory, not a file'],
      [{}, "No results for path: $['webdav']['path']"],
      [{ path: PATH, endpoint: 'ftp://x' }, 'Invalid endpoint [ftp://x]'],
    ])('of %j: %s', async (parameters, message) => {
      const { server } = await start({ auth: 'basic' });
      await expect(open(server, parameters, jobOf(server))).rejects.toThrow(message);
    });
  });
});

test('digests are those of RFC 7616', async () => {
  const { digestHeader, parseChallenges } = await import('../../../src/source/webdav/authorization.js');
  const [challenge] = parseChallenges([
    'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="x"',
    'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"',
  ]);
  if (challenge?.scheme !== 'digest') throw new Error('no digest was found');
  const header = digestHeader({ username: 'Mufasa', password: 'Circle of Life' }, challenge, {
    method: 'GET',
    path: '/dir/index.html',
    count: 1,
    clientNonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  });
  expect(header).toContain('response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"');
});
