import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import type { TreeSource } from '../../../src/source/source.js';
import { bytesOf, listed } from '../../contract/source-contract.js';
import { answerError, MemoryS3Server, type MemoryS3Options } from '../../support/memory-s3-server.js';
import { describeWith } from '../../support/program.js';
import { s3Source } from '../../support/remote-sources.js';
import { BUCKET, S3Server, SECRET_KEY } from '../../support/s3-server.js';

const never = new AbortController().signal;
const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function open(options: MemoryS3Options): Promise<{ server: MemoryS3Server; source: TreeSource }> {
  const server = await MemoryS3Server.start(options);
  const source = s3Source(server);
  cleanups.push(
    () => server.stop(),
    () => source.close(),
  );
  return { server, source };
}

/** All files below a folder, with their contents. */
async function walk(source: TreeSource, folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await listed(source, folder)) {
    if (entry.kind === 'folder') Object.assign(found, await walk(source, entry.path));
    else found[entry.path] = await text(await source.read(entry, never));
  }
  return found;
}

test('keys that no file system holds are found and read, each under a path of its own', async () => {
  const keys = [
    'plain.txt',
    '/leading slash.txt',
    'a//b.txt',
    'a/b.txt',
    'a//',
    'a/../up.txt',
    './here.txt',
    'control \u0001 \n.txt',
    'plus + and % and é & < > ".txt',
    'no folder',
    'no folder/but also one.txt',
    '///',
  ];
  const { source } = await open({
    objects: Object.fromEntries(keys.map((key) => [key, `content of ${key}`])),
    pageSize: 3,
  });
  const found = await walk(source, '/');
  expect(Object.values(found).sort()).toEqual(keys.map((key) => `content of ${key}`).sort());
  expect(Object.keys(found)).toHaveLength(keys.length);
});

test('an empty object that only shows a folder is no file', async () => {
  const { source } = await open({ objects: { 'folder/': '', 'folder/file.txt': 'x' } });
  expect(await walk(source, '/')).toEqual({ '/folder/file.txt': 'x' });
  expect(await listed(source, '/')).toHaveLength(1);
});

test('a folder takes one request for each thousand names, and files none', async () => {
  const objects = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`file-${index}`, 'x']));
  const { server, source } = await open({ objects, pageSize: 10 });
  expect(await listed(source, '/')).toHaveLength(25);
  expect(server.requests).toHaveLength(3);
});

test.each([
  ['cut off', '<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>a</Key>'],
  ['that says there is more, and not where', '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>'],
  ['of something else', '<html>Welcome</html>'],
])('an answer that is %s is no listing', async (_what, body) => {
  const script = [1, 2, 3].map(() => (response: Parameters<typeof answerError>[0]) => answerError(response, 200, body));
  const { source } = await open({ objects: {}, script });
  await expect(listed(source, '/')).rejects.toMatchObject({ code: 'unavailable' });
});

test('a service that asks for patience is asked again, three times in all', async () => {
  const slow = (response: Parameters<typeof answerError>[0]): void =>
    answerError(
      response,
      503,
      '<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>',
    );
  const patient = await open({ objects: { a: 'x' }, script: [slow, slow] });
  expect(await listed(patient.source, '/')).toHaveLength(1);
  const hopeless = await open({ objects: { a: 'x' }, script: [slow, slow, slow] });
  await expect(listed(hopeless.source, '/')).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('SlowDown') as unknown,
  });
});

test('a service in another region says so, and is asked again with the right one', async () => {
  const wrong = (response: Parameters<typeof answerError>[0]): void =>
    answerError(response, 400, '<Error><Code>AuthorizationHeaderMalformed</Code><Region>mars-1</Region></Error>');
  const { server, source } = await open({ objects: { a: 'x' }, script: [wrong] });
  expect(await listed(source, '/')).toHaveLength(1);
  expect(
    server.requests.map(({ headers }) => /\/([a-z]+-[a-z]*-?\d)\/s3\//.exec(headers.authorization ?? '')?.[1]),
  ).toEqual(['eu-test-1', 'mars-1']);
});

test('a service that names another region every time is not asked for ever', async () => {
  let times = 0;
  const moody = (response: Parameters<typeof answerError>[0]): void => {
    times += 1;
    answerError(
      response,
      400,
      `<Error><Code>AuthorizationHeaderMalformed</Code><Region>mars-${times}</Region></Error>`,
    );
  };
  const { server, source } = await open({ objects: { a: 'x' }, script: new Array(9).fill(moody) });
  await expect(listed(source, '/')).rejects.toMatchObject({ code: 'denied' });
  expect(server.requests).toHaveLength(2);
});

test('a bucket elsewhere is [denied], in a sentence that says where it is', async () => {
  const elsewhere = (response: Parameters<typeof answerError>[0]): void =>
    answerError(response, 301, '<Error><Code>PermanentRedirect</Code><Region>mars-1</Region></Error>');
  const { source } = await open({ objects: {}, script: [elsewhere] });
  await expect(listed(source, '/')).rejects.toMatchObject({
    code: 'denied',
    message: expect.stringContaining('The bucket is in the region [mars-1]') as unknown,
  });
});

test('a public bucket is asked without a signature', async () => {
  const server = await MemoryS3Server.start({ objects: { a: 'x' } });
  const source = s3Source(server, { credentials: undefined });
  cleanups.push(
    () => server.stop(),
    () => source.close(),
  );
  expect(await walk(source, '/')).toEqual({ '/a': 'x' });
  expect(server.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
});

test('the bucket stands in the host name where the service wants it so', async () => {
  const server = await MemoryS3Server.start({ objects: { 'a/b': 'x' } });
  const source = s3Source(server, {
    endpoint: new URL(`http://localhost:${server.port}`),
    pathStyle: false,
    bucket: 'documents',
  });
  cleanups.push(
    () => server.stop(),
    () => source.close(),
  );
  // Not every resolver knows the names below localhost.
  const failure: unknown = await listed(source, '/').catch((error: unknown) => error);
  const asked = (failure as { cause?: { hostname?: string } }).cause?.hostname ?? server.requests[0]?.headers.host;
  expect(asked?.split(':')[0]).toBe('documents.localhost');
});

describeWith(['versitygw'], 'S3 service', () => {
  let server: S3Server;

  const start = async (bucket: Parameters<typeof s3Source>[1] = {}): Promise<TreeSource> => {
    server = await S3Server.start();
    const source = s3Source(server, bucket);
    cleanups.push(
      () => server.stop(),
      () => source.close(),
    );
    return source;
  };

  test('a wrong key is [denied], in a sentence that keeps the keys to itself', async () => {
    const source = await start({ credentials: { accessKey: 'test-access', secretKey: 'not the secret' } });
    const refusal = (await source.probe('/', never).catch((error: unknown) => error)) as Error;
    expect(refusal).toMatchObject({ code: 'denied' });
    expect(refusal.message).toContain(`s3://${BUCKET} at ${server.url}`);
    expect(refusal.message).not.toMatch(new RegExp(`not the secret|${SECRET_KEY}`));
  });

  test('a bucket that is not there is [not_found]', async () => {
    const source = await start({ bucket: 'missing-bucket' });
    await expect(source.probe('/', never)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a prefix that no key begins with is [not_found], so that nothing below it counts as deleted', async () => {
    const source = await start();
    await server.put('there/file.txt', 'x');
    await expect(source.probe('/not there', never)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('the etag changes with the content, also within a second', async () => {
    const source = await start();
    const seen = new Set<string | undefined>();
    for (const content of ['one', 'two', 'six']) {
      await server.put('file.txt', content);
      const [entry] = await listed(source, '/');
      seen.add(entry?.version);
      expect((await bytesOf(source, entry!)).toString()).toBe(content);
    }
    expect([seen.size, seen.has(undefined)]).toEqual([3, false]);
  });

  test('the address of a file is that of its key', async () => {
    const source = await start();
    await server.put('a folder/file.txt', 'x');
    const [entry] = await listed(source, '/a folder');
    expect(source.urlOf(entry!)).toBe('s3://documents/a folder/file.txt');
    expect(await source.attributes(entry!, true, never)).toEqual({});
  });
});
