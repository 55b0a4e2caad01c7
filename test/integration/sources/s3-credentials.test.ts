import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { S3Login } from '../../../src/source/s3/s3-bucket.js';
import { listed } from '../../contract/source-contract.js';
import { MemoryS3Server } from '../../support/memory-s3-server.js';
import { s3Source } from '../../support/remote-sources.js';

/** What Amazon's own tools find on a machine: variables, and files in ~/.aws. */
const VARIABLES = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_PROFILE'];

let folder: string;
let server: MemoryS3Server;
let before: NodeJS.ProcessEnv;

beforeEach(async () => {
  before = { ...process.env };
  for (const name of VARIABLES) Reflect.deleteProperty(process.env, name);
  folder = mkdtempSync(join(tmpdir(), 's3-credentials-'));
  process.env['AWS_CONFIG_FILE'] = join(folder, 'config');
  process.env['AWS_SHARED_CREDENTIALS_FILE'] = join(folder, 'credentials');
  server = await MemoryS3Server.start({ objects: { a: 'x' } });
});

afterEach(async () => {
  process.env = before;
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** The key that requests are signed with, and the session token beside it. */
async function signedAs(login: S3Login): Promise<readonly (string | undefined)[]> {
  const source = s3Source(server, { login });
  try {
    expect(await listed(source, '/')).toHaveLength(1);
  } finally {
    await source.close();
  }
  const headers = server.requests.at(-1)?.headers ?? {};
  const token = headers['x-amz-security-token'];
  return [/Credential=(\w+)\//.exec(headers.authorization ?? '')?.[1], typeof token === 'string' ? token : undefined];
}

const chain: S3Login = { kind: 'chain', profile: undefined, instance: false };

test('keys of the settings, also temporary ones', async () => {
  const keys = { kind: 'keys', accessKey: 'own', secretKey: 's', sessionToken: undefined } as const;
  expect(await signedAs(keys)).toEqual(['own', undefined]);
  expect(await signedAs({ ...keys, sessionToken: 'token' })).toEqual(['own', 'token']);
});

test('those of the environment', async () => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'fromenv', AWS_SECRET_ACCESS_KEY: 's', AWS_SESSION_TOKEN: 'token' });
  expect(await signedAs(chain)).toEqual(['fromenv', 'token']);
});

test('those of the default profile, and of a named one', async () => {
  writeFileSync(
    join(folder, 'credentials'),
    '[default]\naws_access_key_id = standard\naws_secret_access_key = s\n' +
      '[documents]\naws_access_key_id = named\naws_secret_access_key = s\naws_session_token = token\n',
  );
  expect(await signedAs(chain)).toEqual(['standard', undefined]);
  expect(await signedAs({ ...chain, profile: 'documents' })).toEqual(['named', 'token']);
});

test('those that the program of a profile prints', async () => {
  const printed = JSON.stringify({ Version: 1, AccessKeyId: 'printed', SecretAccessKey: 's' });
  writeFileSync(join(folder, 'printed.json'), printed);
  writeFileSync(join(folder, 'config'), `[profile vault]\ncredential_process = cat ${join(folder, 'printed.json')}\n`);
  expect(await signedAs({ ...chain, profile: 'vault' })).toEqual(['printed', undefined]);
});

test('none, for a public bucket', async () => {
  expect(await signedAs(chain)).toEqual([undefined, undefined]);
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'fromenv', AWS_SECRET_ACCESS_KEY: 's' });
  expect(await signedAs({ kind: 'anonymous' })).toEqual([undefined, undefined]);
});

test('a profile that is named and not there is [denied], and nothing is sent', async () => {
  await expect(signedAs({ ...chain, profile: 'missing' })).rejects.toMatchObject({
    code: 'denied',
    message: expect.stringContaining('missing') as unknown,
  });
  expect(server.requests).toEqual([]);
});
