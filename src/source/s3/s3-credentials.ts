import {
  createCredentialChain,
  fromEnv,
  fromIni,
  fromNodeProviderChain,
  fromTokenFile,
} from '@aws-sdk/credential-providers';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { CrawlerError, messageOf } from '../../base/errors.js';
import type { S3Login } from './s3-bucket.js';

type Signing = Pick<S3ClientConfig, 'credentials' | 'signer'>;

/**
 * How requests are signed. The standard chain is that of Amazon's own tools: the variables `AWS_ACCESS_KEY_ID`,
 * `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`, the profile in `~/.aws` (keys, assumed roles, single sign-on, programs),
 * the token file of a web identity. The services that hand out the roles of containers and machines are asked only when
 * the settings say so: on other machines that address may belong to anybody.
 *
 * Throws `denied` when there are none although the login names some.
 */
export async function signingOf(login: S3Login): Promise<Signing> {
  if (login.kind === 'anonymous') return ANONYMOUS;
  if (login.kind === 'keys') {
    const { accessKey: accessKeyId, secretKey: secretAccessKey, sessionToken } = login;
    return { credentials: { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) } };
  }
  const credentials = chainOf(login.profile, login.instance);
  try {
    await credentials();
    return { credentials };
  } catch (error) {
    const isNamed = login.instance || (login.profile ?? process.env['AWS_PROFILE']) !== undefined;
    if (!isNamed) return ANONYMOUS;
    throw new CrawlerError('denied', `No credentials for S3 were found: ${messageOf(error).replace(/[.\s]+$/, '')}.`, {
      cause: error,
      subject: 'fs.s3',
    });
  }
}

/** Requests leave as they are. */
const ANONYMOUS: Signing = {
  credentials: { accessKeyId: '', secretAccessKey: '' },
  signer: { sign: (request) => Promise.resolve(request) },
};

function chainOf(profile: string | undefined, instance: boolean): ReturnType<typeof fromNodeProviderChain> {
  const named = profile === undefined ? {} : { profile };
  if (instance) return fromNodeProviderChain(named);
  if (profile !== undefined) return createCredentialChain(fromIni(named));
  return createCredentialChain(fromEnv(), fromIni(), fromTokenFile());
}
